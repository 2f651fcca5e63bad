using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>Colours of what the Scene view shows: gizmos, handles and their legend take them
    /// from here.</summary>
    internal static class SinewColors
    {
        internal static readonly Color Bone = new Color(0.92f, 0.92f, 0.92f);
        internal static readonly Color Goal = new Color(0.25f, 0.85f, 0.35f);
        internal static readonly Color Residual = new Color(0.95f, 0.25f, 0.2f);
        internal static readonly Color Pole = new Color(0.98f, 0.85f, 0.15f);
        internal static readonly Color Gaze = new Color(0.2f, 0.8f, 0.95f);
        internal static readonly Color Body = new Color(0.85f, 0.35f, 0.9f);
        internal static readonly Color Swing = new Color(0.98f, 0.6f, 0.2f);
        internal static readonly Color Twist = new Color(0.45f, 0.6f, 1f);
        internal static readonly Color Region = new Color(0.3f, 0.9f, 0.8f);

        /// <summary>The legend, line by line: what is drawn in which colour.</summary>
        internal static readonly Entry[] Legend =
        {
            new Entry("Bones", Bone), new Entry("Goals", Goal), new Entry("Distance to the goal", Residual),
            new Entry("Hints and poles", Pole), new Entry("Gaze and aim", Gaze), new Entry("Body", Body),
            new Entry("Limits: swing", Swing), new Entry("Limits: twist", Twist), new Entry("Spheres, planes, ranges", Region),
        };

        /// <summary>A line of the legend.</summary>
        internal struct Entry
        {
            internal readonly string Text;
            internal readonly Color Color;

            internal Entry(string text, Color color)
            {
                Text = text;
                Color = color;
            }
        }

        /// <summary>Colour of a line that the library draws.</summary>
        internal static Color Of(SinewDebugPart part)
        {
            switch (part)
            {
                case SinewDebugPart.Bone: return Bone;
                case SinewDebugPart.Limit: return Swing;
                case SinewDebugPart.Support: return Region;
                case SinewDebugPart.Residual: return Residual;
                case SinewDebugPart.GoalAxis: return Goal;
                case SinewDebugPart.Hint: return Pole;
                case SinewDebugPart.LookAt: return Gaze;
                default: return Body;
            }
        }
    }
}
