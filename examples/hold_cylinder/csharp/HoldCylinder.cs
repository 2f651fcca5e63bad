using System;
using System.Collections.Generic;
using System.IO;
using Sinew;
using UnityEngine;

/// <summary>
/// Plays the demo scene as Unity would: GameObjects, an animation that writes Transforms, IKControl
/// beside a SinewAnimator. Outside Unity the types of UnityEngine come from
/// tests/csharp/UnityEngineStandIn.
/// </summary>
public static class HoldCylinder
{
    public static int Main(string[] arguments)
    {
        if (arguments.Length != 2)
        {
            Console.Error.WriteLine("usage: HoldCylinder SCENE OUT");
            return 2;
        }
        try
        {
            Console.WriteLine("hash {0:x16}", Play(SceneFile.Read(arguments[0]), arguments[1]));
        }
        catch (IOException e)
        {
            Console.Error.WriteLine(e.Message);
            return 1;
        }
        foreach (string line in Debug.Lines) Console.Error.WriteLine(line);
        return Debug.Lines.Count == 0 ? 0 : 1;
    }

    /// <summary>
    /// Plays all frames, writes the result to a file, and gives the hash of all resulting
    /// transforms.
    /// </summary>
    public static ulong Play(SceneFile scene, string outPath)
    {
        // The scene: the character's root object with one Transform per joint, and a cylinder with
        // a handle.
        GameObject character = new GameObject("Character");
        character.SetActive(false);
        Transform[] joints = Build(character, scene.Joints);
        GameObject cylinder = new GameObject("Cylinder");
        GameObject handle = new GameObject("Handle");
        handle.transform.SetParent(cylinder.transform, false);
        scene.Handle.CopyTo(handle.transform);

        // The two components. The table is set before the object wakes up.
        SinewAnimator animator = character.AddComponent<SinewAnimator>();
        animator.humanBones = Table(scene.Joints, joints);
        IKControl control = character.AddComponent<IKControl>();
        control.rightHandObj = handle.transform;
        control.lookObj = cylinder.transform;
        character.SetActive(true);

        TransformData[] locals = new TransformData[joints.Length];
        using (PosesFile file = new PosesFile(outPath, joints.Length, scene.Frames.Length))
        {
            FrameData frame = null;
            Player.Animation = delegate
            {
                for (int i = 0; i < joints.Length; i++) frame.Locals[i].CopyTo(joints[i]);
                frame.Root.CopyTo(character.transform);
                frame.Cylinder.CopyTo(cylinder.transform);
            };
            for (int f = 0; f < scene.Frames.Length; f++)
            {
                frame = scene.Frames[f];
                control.ikActive = frame.IkActive;
                Player.Frame(scene.DeltaTime);

                for (int i = 0; i < joints.Length; i++) locals[i] = TransformData.Of(joints[i]);
                file.WriteFrame(
                    control.weight, animator.GetIKOutcome(AvatarIKGoal.RightHand), animator.GetLookAtOutcome(), locals);
            }
            Player.Animation = null;
            UnityEngine.Object.DestroyImmediate(character);
            UnityEngine.Object.DestroyImmediate(cylinder);
            return file.Hash;
        }
    }

    private static Transform[] Build(GameObject character, JointData[] data)
    {
        Transform[] joints = new Transform[data.Length];
        for (int i = 0; i < data.Length; i++)
        {
            joints[i] = new GameObject(data[i].Name).transform;
            joints[i].SetParent(data[i].Parent < 0 ? character.transform : joints[data[i].Parent], false);
            data[i].Rest.CopyTo(joints[i]);
        }
        return joints;
    }

    private static HumanBoneEntry[] Table(JointData[] data, Transform[] joints)
    {
        List<HumanBoneEntry> table = new List<HumanBoneEntry>();
        for (int i = 0; i < data.Length; i++)
            if (data[i].HumanBone >= 0) table.Add(new HumanBoneEntry((HumanBodyBones)data[i].HumanBone, joints[i]));
        return table.ToArray();
    }
}
