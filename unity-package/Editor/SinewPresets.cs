using UnityEditor;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>
    /// Settings to start from, in the menu of a component (the three dots): kinds of joints, of
    /// chains, of bodies. Undo and prefab overrides as by hand; the result can be kept as a Preset
    /// of Unity's own.
    /// </summary>
    internal static class SinewPresets
    {
        private const string Limits = "CONTEXT/SinewJointLimits/Preset/";
        private const string Chain = "CONTEXT/SinewChain/Preset/";
        private const string Body = "CONTEXT/SinewAnimator/Preset/";
        private const string World = "CONTEXT/SinewWorld/Preset/";

        [MenuItem(Limits + "Knee or Elbow (hinge, 0 to 150)")]
        internal static void Hinge(MenuCommand command)
        {
            Set(command, new Vector3(0f, 0f, 0f), new Vector3(150f, 0f, 0f), true, true, false);
        }

        [MenuItem(Limits + "Ball (cone of 60, twist of 45)")]
        internal static void Ball(MenuCommand command)
        {
            Set(command, new Vector3(-60f, -45f, -60f), new Vector3(60f, 45f, 60f), false, false, true);
        }

        [MenuItem(Limits + "Spine (20 each way)")]
        internal static void Spine(MenuCommand command)
        {
            Set(command, new Vector3(-20f, -20f, -20f), new Vector3(20f, 20f, 20f), false, false, true);
        }

        [MenuItem(Limits + "Finger (hinge, 0 to 100)")]
        internal static void Finger(MenuCommand command)
        {
            Set(command, new Vector3(0f, 0f, 0f), new Vector3(100f, 0f, 0f), true, true, false);
        }

        [MenuItem(Limits + "Ankle or Wrist (universal, 60 by 30)")]
        internal static void Universal(MenuCommand command)
        {
            Set(command, new Vector3(-60f, 0f, -30f), new Vector3(60f, 0f, 30f), true, false, true);
        }

        [MenuItem(Limits + "Fixed")]
        internal static void Fixed(MenuCommand command)
        {
            SinewJointLimits of = Recorded<SinewJointLimits>(command);
            of.lockX = of.lockY = of.lockZ = true;
            of.limitX = of.limitY = of.limitZ = false;
            Done(of);
        }

        [MenuItem(Chain + "Arm or Leg (default solver)")]
        internal static void Reach(MenuCommand command)
        {
            Set(command, SinewChainSolver.Default, 180f);
        }

        [MenuItem(Chain + "Rope (FABRIK)")]
        internal static void Rope(MenuCommand command)
        {
            Set(command, SinewChainSolver.Fabrik, 180f);
        }

        [MenuItem(Chain + "Tail (CCD in small steps)")]
        internal static void Tail(MenuCommand command)
        {
            Set(command, SinewChainSolver.Ccd, 10f);
        }

        [MenuItem(Chain + "Folding Leg (Spring)")]
        internal static void Folding(MenuCommand command)
        {
            Set(command, SinewChainSolver.Spring, 180f);
        }

        [MenuItem(Body + "As Unity's Animator")]
        internal static void AsUnity(MenuCommand command)
        {
            Set(command, 0f, 0f, 0f, false);
        }

        [MenuItem(Body + "Natural Reach (shoulders, spine, hips help)")]
        internal static void Natural(MenuCommand command)
        {
            Set(command, 1f, 0.5f, 0.5f, true);
        }

        [MenuItem(World + "Crowd")]
        internal static void Crowd(MenuCommand command)
        {
            SinewWorld of = Recorded<SinewWorld>(command);
            of.bands = new[]
            {
                new DetailBand { distance = 15f, level = DetailLevel.Full },
                new DetailBand { distance = 40f, level = DetailLevel.EveryNth, interval = 4 },
                new DetailBand { distance = 80f, level = DetailLevel.Off },
            };
            of.useJobThreads = true;
            of.Refresh();
            PrefabUtility.RecordPrefabInstancePropertyModifications(of);
        }

        private static T Recorded<T>(MenuCommand command) where T : MonoBehaviour
        {
            T of = (T)command.context;
            Undo.RecordObject(of, "Apply Sinew Preset");
            return of;
        }

        private static void Done(SinewJointLimits of)
        {
            of.Refresh();
            PrefabUtility.RecordPrefabInstancePropertyModifications(of);
        }

        // Locks Y and Z as given, limits what is not locked.
        private static void Set(MenuCommand command, Vector3 min, Vector3 max, bool lockY, bool lockZ, bool limitZ)
        {
            SinewJointLimits of = Recorded<SinewJointLimits>(command);
            of.lockX = false;
            of.lockY = lockY;
            of.lockZ = lockZ;
            of.limitX = true;
            of.limitY = !lockY;
            of.limitZ = limitZ;
            of.min = min;
            of.max = max;
            of.corners = new Vector3[0];
            Done(of);
        }

        private static void Set(MenuCommand command, SinewChainSolver solver, float sweepStep)
        {
            SinewChain of = Recorded<SinewChain>(command);
            of.solver = solver;
            of.sweepStep = sweepStep;
            of.finish = true;
            of.Refresh();
            PrefabUtility.RecordPrefabInstancePropertyModifications(of);
        }

        private static void Set(MenuCommand command, float shoulders, float spine, float pull, bool isLimited)
        {
            SinewAnimator of = Recorded<SinewAnimator>(command);
            of.leftShoulderWeight = of.rightShoulderWeight = shoulders;
            of.spineWeight = spine;
            of.leftHandPullWeight = of.rightHandPullWeight = of.leftFootPullWeight = of.rightFootPullWeight = pull;
            of.limitsEnabled = isLimited;
            PrefabUtility.RecordPrefabInstancePropertyModifications(of);
        }
    }
}
