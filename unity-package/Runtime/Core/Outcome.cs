using Sinew.Interop;

namespace Sinew
{
    /// <summary>What a solve left at a goal, measured on the resulting pose. A value, never an
    /// error.</summary>
    public readonly struct Outcome
    {
        /// <summary>How the solve ended.</summary>
        public readonly SinewStatus Status;

        /// <summary>Iterations used; 0 for closed forms.</summary>
        public readonly int Iterations;

        /// <summary>Distance between the hand or foot and its weighted goal: world space, metres
        /// (or the rig's own unit).</summary>
        public readonly float ResidualMeters;

        /// <summary>Angle to the weighted goal rotation (look-at: goal direction): radians, 0 to
        /// π.</summary>
        public readonly float ResidualRadians;

        internal Outcome(SinewOutcome raw)
        {
            Status = (SinewStatus)raw.status;
            Iterations = (int)raw.iterations;
            ResidualMeters = raw.residual_m;
            ResidualRadians = raw.residual_rad;
        }

        /// <summary>Whether a goal was active, that is, a weight above 0.</summary>
        public bool IsActive
        {
            get { return Status != SinewStatus.Inactive; }
        }

        /// <summary>Whether the goal, at its weight, is met.</summary>
        public bool IsReached
        {
            get { return Status == SinewStatus.Reached; }
        }

        /// <summary>Status and residuals in words.</summary>
        public override string ToString()
        {
            return Status + " (" + ResidualMeters.ToString("0.####") + " m, " + ResidualRadians.ToString("0.####") + " rad)";
        }
    }
}
