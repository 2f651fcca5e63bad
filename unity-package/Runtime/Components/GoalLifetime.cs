namespace Sinew
{
    /// <summary>How long goals, hints, look-at and their weights count.</summary>
    public enum GoalLifetime
    {
        /// <summary>
        /// What OnAnimatorIK or OnStateIK sets counts for that pass; what is set anywhere else
        /// stays until changed. A script that returns early or is disabled so lets go, and a script
        /// that sets a goal once in Start keeps it.
        /// </summary>
        ByCaller = 0,

        /// <summary>Everything stays until changed.</summary>
        UntilChanged = 1,

        /// <summary>Everything counts for one pass.</summary>
        OnePass = 2,
    }
}
