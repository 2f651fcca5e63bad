using System;
using System.IO;
using System.Text;
using UnityEngine;

/// <summary>
/// A local (or, for root and cylinder, world) transform as stored in the file: 10 floats.
/// </summary>
public struct TransformData
{
    public Vector3 Position;
    public Quaternion Rotation;
    public Vector3 Scale;

    public void CopyTo(Transform transform)
    {
        transform.localPosition = Position;
        transform.localRotation = Rotation;
        transform.localScale = Scale;
    }

    public static TransformData Of(Transform transform)
    {
        return new TransformData
        {
            Position = transform.localPosition,
            Rotation = transform.localRotation,
            Scale = transform.localScale,
        };
    }
}

/// <summary>
/// A character's joint: parent (-1 for none), human bone (-1 for none), rest transform, name.
/// </summary>
public sealed class JointData
{
    public int Parent;
    public int HumanBone;
    public TransformData Rest;
    public string Name;
}

/// <summary>One frame of the scene before IK.</summary>
public sealed class FrameData
{
    public bool IkActive;
    public TransformData Root;
    public TransformData Cylinder;
    public TransformData[] Locals;
}

/// <summary>
/// The scene all hosts of the demo play: little endian; testkit/src/scene.rs has the table.
/// </summary>
public sealed class SceneFile
{
    public float DeltaTime;
    public JointData[] Joints;
    public TransformData Handle;
    public float CylinderRadius;
    public float CylinderLength;
    public FrameData[] Frames;

    public static SceneFile Read(string path)
    {
        using (BinaryReader reader = new BinaryReader(File.OpenRead(path)))
        {
            if (Encoding.ASCII.GetString(reader.ReadBytes(8)) != "SNWSCENE")
                throw new InvalidDataException(path + " is no scene file: it does not begin with SNWSCENE");
            uint version = reader.ReadUInt32();
            if (version != 1) throw new InvalidDataException(path + " has version " + version + ", not 1");

            SceneFile scene = new SceneFile();
            scene.Joints = new JointData[reader.ReadUInt32()];
            scene.Frames = new FrameData[reader.ReadUInt32()];
            scene.DeltaTime = reader.ReadSingle();
            for (int i = 0; i < scene.Joints.Length; i++) scene.Joints[i] = ReadJoint(reader);
            scene.Handle = ReadTransform(reader);
            scene.CylinderRadius = reader.ReadSingle();
            scene.CylinderLength = reader.ReadSingle();
            for (int i = 0; i < scene.Frames.Length; i++) scene.Frames[i] = ReadFrame(reader, scene.Joints.Length);
            return scene;
        }
    }

    private static JointData ReadJoint(BinaryReader reader)
    {
        JointData joint = new JointData();
        joint.Parent = reader.ReadInt32();
        joint.HumanBone = reader.ReadInt32();
        joint.Rest = ReadTransform(reader);
        int length = (int)reader.ReadUInt32();
        joint.Name = Encoding.UTF8.GetString(reader.ReadBytes(length));
        reader.ReadBytes((4 - length % 4) % 4);
        return joint;
    }

    private static FrameData ReadFrame(BinaryReader reader, int jointCount)
    {
        FrameData frame = new FrameData();
        frame.IkActive = reader.ReadUInt32() != 0;
        frame.Root = ReadTransform(reader);
        frame.Cylinder = ReadTransform(reader);
        frame.Locals = new TransformData[jointCount];
        for (int i = 0; i < jointCount; i++) frame.Locals[i] = ReadTransform(reader);
        return frame;
    }

    private static TransformData ReadTransform(BinaryReader reader)
    {
        TransformData t = new TransformData();
        t.Position = ReadVector(reader);
        float x = reader.ReadSingle(), y = reader.ReadSingle(), z = reader.ReadSingle(), w = reader.ReadSingle();
        t.Rotation = new Quaternion(x, y, z, w);
        t.Scale = ReadVector(reader);
        return t;
    }

    private static Vector3 ReadVector(BinaryReader reader)
    {
        float x = reader.ReadSingle(), y = reader.ReadSingle(), z = reader.ReadSingle();
        return new Vector3(x, y, z);
    }
}
