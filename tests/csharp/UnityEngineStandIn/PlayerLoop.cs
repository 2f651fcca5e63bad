// Test-only stand-in for UnityEngine.LowLevel.PlayerLoop and the named systems of the default loop
// that matter here.
using System;
using System.Collections.Generic;

namespace UnityEngine.LowLevel
{
    public struct PlayerLoopSystem
    {
        public Type type;
        public PlayerLoopSystem[] subSystemList;
        public UpdateFunction updateDelegate;
        public IntPtr updateFunction;
        public IntPtr loopConditionFunction;

        public delegate void UpdateFunction();
    }

    public class PlayerLoop
    {
        private static PlayerLoopSystem current = GetDefaultPlayerLoop();

        // What a frame and a physics step run, flat, so that running allocates nothing.
        internal static PlayerLoopSystem[] Frame = new PlayerLoopSystem[0];
        internal static PlayerLoopSystem[] Step = new PlayerLoopSystem[0];

        static PlayerLoop() { SetPlayerLoop(GetDefaultPlayerLoop()); }

        public static PlayerLoopSystem GetDefaultPlayerLoop()
        {
            return new PlayerLoopSystem
            {
                subSystemList = new[]
                {
                    Phase(typeof(UnityEngine.PlayerLoop.FixedUpdate)),
                    Phase(typeof(UnityEngine.PlayerLoop.Update)),
                    Phase(typeof(UnityEngine.PlayerLoop.PreLateUpdate)),
                },
            };
        }

        public static PlayerLoopSystem GetCurrentPlayerLoop() { return Copy(current); }

        public static void SetPlayerLoop(PlayerLoopSystem loop)
        {
            current = Copy(loop);
            List<PlayerLoopSystem> frame = new List<PlayerLoopSystem>(), step = new List<PlayerLoopSystem>();
            foreach (PlayerLoopSystem phase in current.subSystemList)
                (phase.type == typeof(UnityEngine.PlayerLoop.FixedUpdate) ? step : frame).AddRange(phase.subSystemList);
            Frame = frame.ToArray();
            Step = step.ToArray();
        }

        private static PlayerLoopSystem Phase(Type type)
        {
            List<PlayerLoopSystem> systems = new List<PlayerLoopSystem>();
            Type[] nested = type.GetNestedTypes();
            Array.Sort(nested, delegate (Type a, Type b) { return a.MetadataToken.CompareTo(b.MetadataToken); });
            foreach (Type system in nested) systems.Add(new PlayerLoopSystem { type = system });
            return new PlayerLoopSystem { type = type, subSystemList = systems.ToArray() };
        }

        private static PlayerLoopSystem Copy(PlayerLoopSystem system)
        {
            if (system.subSystemList == null) return system;
            system.subSystemList = Array.ConvertAll(system.subSystemList, Copy);
            return system;
        }
    }
}

namespace UnityEngine.PlayerLoop
{
    public struct FixedUpdate
    {
        public struct ScriptRunBehaviourFixedUpdate { }
        public struct DirectorFixedUpdate { }
        public struct LegacyFixedAnimationUpdate { }
        public struct PhysicsFixedUpdate { }
        public struct DirectorFixedUpdatePostPhysics { }
    }

    public struct Update
    {
        public struct ScriptRunBehaviourUpdate { }
        public struct DirectorUpdate { }
    }

    public struct PreLateUpdate
    {
        public struct DirectorUpdateAnimationBegin { }
        public struct LegacyAnimationUpdate { }
        public struct DirectorUpdateAnimationEnd { }
        public struct DirectorDeferredEvaluate { }
        public struct ParticleSystemBeginUpdateAll { }
        public struct ScriptRunBehaviourLateUpdate { }
        public struct ConstraintManagerUpdate { }
    }
}
