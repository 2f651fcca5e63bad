using System.IO;
using System.Text;
using Sinew;

/// <summary>
/// What a host of the demo leaves: weight, outcomes and local transforms of every frame; and the
/// FNV-1a 64 hash over the bytes of all transforms, which must be the same in every host.
/// </summary>
public sealed class PosesFile : System.IDisposable
{
    private readonly BinaryWriter file;
    private readonly MemoryStream bytes = new MemoryStream();
    private readonly BinaryWriter transforms;

    public PosesFile(string path, int jointCount, int frameCount)
    {
        transforms = new BinaryWriter(bytes);
        file = new BinaryWriter(File.Create(path));
        file.Write(Encoding.ASCII.GetBytes("SNWPOSES"));
        file.Write(1u);
        file.Write((uint)jointCount);
        file.Write((uint)frameCount);
        Hash = 0xcbf29ce484222325;
    }

    public ulong Hash { get; private set; }

    public void WriteFrame(float weight, Outcome hand, Outcome look, TransformData[] locals)
    {
        file.Write(weight);
        file.Write((int)hand.Status);
        file.Write(hand.ResidualMeters);
        file.Write(hand.ResidualRadians);
        file.Write((int)look.Status);
        file.Write(look.ResidualRadians);

        bytes.SetLength(0);
        for (int i = 0; i < locals.Length; i++)
        {
            TransformData t = locals[i];
            transforms.Write(t.Position.x);
            transforms.Write(t.Position.y);
            transforms.Write(t.Position.z);
            transforms.Write(t.Rotation.x);
            transforms.Write(t.Rotation.y);
            transforms.Write(t.Rotation.z);
            transforms.Write(t.Rotation.w);
            transforms.Write(t.Scale.x);
            transforms.Write(t.Scale.y);
            transforms.Write(t.Scale.z);
        }
        transforms.Flush();
        byte[] written = bytes.GetBuffer();
        ulong hash = Hash;
        for (int i = 0; i < (int)bytes.Length; i++) hash = unchecked((hash ^ written[i]) * 0x100000001b3);
        Hash = hash;
        file.Write(written, 0, (int)bytes.Length);
    }

    public void Dispose()
    {
        file.Dispose();
    }
}
