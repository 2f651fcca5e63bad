using System;
using System.IO;
using System.Text;
using Sinew;
using Sinew.Interop;

/// <summary>
/// Hold the cylinder, in plain C#: dotnet run SCENE OUT. It needs nothing but the NuGet package.
///
/// Formats and arithmetic are those of ../README.md. The lines to read are Setup (once per
/// character) and OnAnimatorIK (once per frame).
/// </summary>
public static class Program
{
    private static NativeAnimator Setup(int[] parents, SinewTransform[] rest, string[] names, int[] humanJoints)
    {
        using (NativeSkeleton skeleton = new NativeSkeleton(parents, rest, names))
        using (NativeAvatar avatar = new NativeAvatar(skeleton, humanJoints))
            return new NativeAnimator(skeleton, avatar); // keeps what it needs of both
    }

    private static void OnAnimatorIK(NativeAnimator animator, float weight, SinewVec3 lookAt, SinewTransform handle)
    {
        animator.SetLookAtWeight(weight, 0f, 1f, 0f, 0.5f);
        animator.SetLookAtPosition(lookAt);
        animator.SetIKPositionWeight(SinewIkGoal.RightHand, weight);
        animator.SetIKRotationWeight(SinewIkGoal.RightHand, weight);
        animator.SetIKPosition(SinewIkGoal.RightHand, handle.position);
        animator.SetIKRotation(SinewIkGoal.RightHand, handle.rotation);
    }

    private static SinewVec3 Cross(SinewVec3 a, SinewVec3 b)
    {
        return new SinewVec3 { x = a.y * b.z - a.z * b.y, y = a.z * b.x - a.x * b.z, z = a.x * b.y - a.y * b.x };
    }

    private static SinewVec3 Rotate(SinewQuat q, SinewVec3 v)
    {
        SinewVec3 u = new SinewVec3 { x = q.x, y = q.y, z = q.z };
        SinewVec3 t = Cross(u, v);
        t = new SinewVec3 { x = t.x * 2f, y = t.y * 2f, z = t.z * 2f };
        SinewVec3 c = Cross(u, t);
        return new SinewVec3 { x = (v.x + t.x * q.w) + c.x, y = (v.y + t.y * q.w) + c.y, z = (v.z + t.z * q.w) + c.z };
    }

    private static SinewQuat Multiply(SinewQuat a, SinewQuat b)
    {
        return new SinewQuat
        {
            x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        };
    }

    private static SinewTransform ToWorld(SinewTransform parent, SinewTransform local)
    {
        SinewVec3 scaled = local.position;
        scaled.x *= parent.scale.x;
        scaled.y *= parent.scale.y;
        scaled.z *= parent.scale.z;
        SinewVec3 turned = Rotate(parent.rotation, scaled);
        SinewTransform world = local;
        world.position.x = parent.position.x + turned.x;
        world.position.y = parent.position.y + turned.y;
        world.position.z = parent.position.z + turned.z;
        world.rotation = Multiply(parent.rotation, local.rotation);
        return world;
    }

    private static SinewTransform ReadTransform(BinaryReader file)
    {
        SinewTransform t = new SinewTransform();
        t.position = new SinewVec3 { x = file.ReadSingle(), y = file.ReadSingle(), z = file.ReadSingle() };
        t.rotation = new SinewQuat
            { x = file.ReadSingle(), y = file.ReadSingle(), z = file.ReadSingle(), w = file.ReadSingle() };
        t.scale = new SinewVec3 { x = file.ReadSingle(), y = file.ReadSingle(), z = file.ReadSingle() };
        return t;
    }

    private static void Write(BinaryWriter file, SinewTransform t)
    {
        foreach (float number in new[]
        {
            t.position.x, t.position.y, t.position.z, t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w,
            t.scale.x, t.scale.y, t.scale.z,
        })
            file.Write(number);
    }

    public static int Main(string[] arguments)
    {
        if (arguments.Length != 2)
        {
            Console.Error.WriteLine("usage: dotnet run SCENE OUT");
            return 2;
        }
        using (BinaryReader scene = new BinaryReader(File.OpenRead(arguments[0])))
        using (BinaryWriter poses = new BinaryWriter(File.Create(arguments[1])))
            Console.WriteLine("hash {0:x16}", Play(scene, poses));
        return 0;
    }

    private static ulong Play(BinaryReader scene, BinaryWriter poses)
    {
        if (Encoding.ASCII.GetString(scene.ReadBytes(8)) != "SNWSCENE" || scene.ReadUInt32() != 1)
            throw new InvalidDataException("not a scene of version 1");
        int jointCount = scene.ReadInt32(), frameCount = scene.ReadInt32();
        float step = scene.ReadSingle() * 2.5f;
        int[] parents = new int[jointCount];
        SinewTransform[] rest = new SinewTransform[jointCount];
        string[] names = new string[jointCount];
        int[] humanJoints = new int[55];
        Array.Fill(humanJoints, -1);
        for (int joint = 0; joint < jointCount; joint++)
        {
            parents[joint] = scene.ReadInt32();
            int bone = scene.ReadInt32();
            if (bone >= 0) humanJoints[bone] = joint;
            rest[joint] = ReadTransform(scene);
            int length = scene.ReadInt32();
            names[joint] = Encoding.UTF8.GetString(scene.ReadBytes(length));
            scene.ReadBytes((4 - length % 4) % 4);
        }
        SinewTransform handle = ReadTransform(scene);
        scene.ReadBytes(8); // radius and length of the cylinder

        poses.Write(Encoding.ASCII.GetBytes("SNWPOSES"));
        poses.Write(1);
        poses.Write(jointCount);
        poses.Write(frameCount);
        ulong hash = 0xcbf29ce484222325;
        float weight = 0f;
        SinewTransform[] pose = new SinewTransform[jointCount];
        using (NativeAnimator animator = Setup(parents, rest, names, humanJoints))
        {
            for (int frame = 0; frame < frameCount; frame++)
            {
                bool isActive = scene.ReadUInt32() != 0;
                SinewTransform root = ReadTransform(scene), cylinder = ReadTransform(scene);
                for (int joint = 0; joint < jointCount; joint++) pose[joint] = ReadTransform(scene);
                float more = weight + step, less = weight - step;
                weight = isActive ? (more < 1f ? more : 1f) : (less > 0f ? less : 0f);

                animator.SetPose(pose); // 1. the animation, and where the root is
                animator.Root = root;
                OnAnimatorIK(animator, weight, cylinder.position, ToWorld(cylinder, handle)); // 2. goals
                animator.Solve(); // 3. solve
                animator.GetPose(pose);
                Outcome hand = animator.GetIKOutcome(SinewIkGoal.RightHand); // 4. how well it went
                Outcome look = animator.GetLookAtOutcome();

                poses.Write(weight);
                poses.Write((int)hand.Status);
                poses.Write(hand.ResidualMeters);
                poses.Write(hand.ResidualRadians);
                poses.Write((int)look.Status);
                poses.Write(look.ResidualRadians);
                using (MemoryStream memory = new MemoryStream())
                using (BinaryWriter bytes = new BinaryWriter(memory))
                {
                    foreach (SinewTransform joint in pose) Write(bytes, joint);
                    bytes.Flush();
                    poses.Write(memory.ToArray());
                    foreach (byte one in memory.ToArray()) hash = unchecked((hash ^ one) * 0x100000001b3);
                }
            }
        }
        return hash;
    }
}
