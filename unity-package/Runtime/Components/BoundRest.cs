using UnityEngine;

namespace Sinew
{
    /// <summary>The bind pose of a rig in Edit mode, where it is not set up: borders of joint limits
    /// are drawn where they will be in Play mode. Looked up again when its hierarchy
    /// changed.</summary>
    internal sealed class BoundRest
    {
        private readonly RestPose pose = new RestPose();
        private int children = -1;

        /// <summary>The local rotation of a joint at rest; of a joint that no mesh is bound to, the
        /// one it has.</summary>
        internal Quaternion RotationOf(Transform root, Transform joint)
        {
            if (children != root.hierarchyCount)
            {
                children = root.hierarchyCount;
                pose.FillBound(new HumanRig(root));
            }
            return pose.RotationOf(joint);
        }
    }
}
