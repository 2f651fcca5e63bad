#if UNITY_EDITOR
using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using NUnit.Framework;
using UnityEngine;
using UnityEngine.TestTools;
using Object = UnityEngine.Object;

namespace Sinew.Tests.Parity
{
    /// <summary>
    /// The parity probe: twins play a fixed list of scenes, one with Unity's own IK, one with
    /// Sinew's, and a JSON file says where they differ. It settles what Unity's documentation
    /// leaves open. Differences fail nothing.
    /// </summary>
    public sealed class ParityTests
    {
        // Bones whose places and rotations are compared at the end of each frame.
        private static readonly string[] watched =
        {
            "Hips", "Spine", "Chest", "Neck", "Head", "LeftUpperLeg", "LeftLowerLeg", "LeftFoot", "RightUpperLeg", "RightLowerLeg", "RightFoot",
            "LeftUpperArm", "LeftLowerArm", "LeftHand", "RightUpperArm", "RightLowerArm", "RightHand",
        };

        /// <summary>Where the report goes: SINEW_PARITY, or a file beside the project's
        /// data.</summary>
        public static string ReportPath
        {
            get
            {
                string given = Environment.GetEnvironmentVariable("SINEW_PARITY");
                return string.IsNullOrEmpty(given) ? Path.Combine(Application.persistentDataPath, "sinew-parity.json") : given;
            }
        }

        /// <summary>Plays all scenes and writes the report.</summary>
        [UnityTest]
        public IEnumerator TwinsAreCompared()
        {
            ParityReport report = new ParityReport();
            List<ParityScene> scenes = ParityScene.All();
            for (int i = 0; i < scenes.Count; i++)
            {
                ParityDriver unity = Twin(scenes[i], "Unity", new Vector3(-2f, 0f, 0f), false);
                ParityDriver sinew = Twin(scenes[i], "Sinew", new Vector3(2f, 0f, 0f), true);
                for (int frame = 0; frame < scenes[i].Frames; frame++)
                {
                    unity.Frame = sinew.Frame = frame;
                    yield return null;
                    Watch(unity);
                    Watch(sinew);
                }
                report.Add(scenes[i], unity, sinew);
                Object.Destroy(unity.gameObject);
                Object.Destroy(sinew.gameObject);
                yield return null;
            }
            string path = ReportPath;
            File.WriteAllText(path, report.Json(Application.unityVersion, Application.platform.ToString()));
            Debug.Log("Sinew parity: " + path + "\n" + report.Table());
            Assert.AreEqual(scenes.Count, report.Rows.Count);
        }

        /// <summary>A twin; the one of Sinew has Unity's Animator too, which animates it and sends
        /// the callback.</summary>
        internal static ParityDriver Twin(ParityScene scene, string name, Vector3 place, bool hasSinew)
        {
            GameObject root = ParityFigure.Build(name, place, scene.Settings);
            ParityDriver driver = root.AddComponent<ParityDriver>();
            driver.Scene = scene;
            if (hasSinew) driver.Face = new SinewFace(root.AddComponent<SinewAnimator>());
            else driver.Face = new UnityFace(root.GetComponent<Animator>());
            root.SetActive(true);
            return driver;
        }

        /// <summary>Records the pose.</summary>
        internal static void Watch(ParityDriver driver)
        {
            for (int i = 0; i < watched.Length; i++)
            {
                Transform bone = driver.Bone(watched[i]);
                driver.Record(watched[i], bone.position);
                driver.Record(watched[i] + " rotation", bone.rotation);
            }
        }
    }
}
#endif
