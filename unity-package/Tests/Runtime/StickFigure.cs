using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>The fifteen bones every humanoid needs, in T-pose, facing +Z.</summary>
    internal static class StickFigure
    {
        internal static GameObject Build()
        {
            GameObject figure = new GameObject("Figure");
            Transform hips = Joint(figure.transform, "Hips", 0f, 0.95f, 0f);
            Transform spine = Joint(hips, "Spine", 0f, 0.15f, 0f);
            Joint(spine, "Head", 0f, 0.45f, 0f);
            Limbs(hips, spine, "Left", -1f);
            Limbs(hips, spine, "Right", 1f);
            return figure;
        }

        private static void Limbs(Transform hips, Transform spine, string side, float sign)
        {
            Transform thigh = Joint(hips, side + "UpperLeg", 0.09f * sign, -0.03f, 0f);
            Transform shin = Joint(thigh, side + "LowerLeg", 0f, -0.42f, 0.01f);
            Joint(shin, side + "Foot", 0f, -0.42f, -0.03f);
            Transform arm = Joint(spine, side + "UpperArm", 0.18f * sign, 0.32f, 0f);
            Transform forearm = Joint(arm, side + "LowerArm", 0.32f * sign, 0f, 0f);
            Joint(forearm, side + "Hand", 0.26f * sign, 0f, 0f);
        }

        private static Transform Joint(Transform parent, string name, float x, float y, float z)
        {
            Transform joint = new GameObject(name).transform;
            joint.SetParent(parent, false);
            joint.localPosition = new Vector3(x, y, z);
            return joint;
        }
    }
}
