using System;
using System.Collections.Generic;
using UnityEngine;

namespace Sinew
{
    /// <summary>
    /// Native skeletons and avatars of characters that exist, shared by all instances of one rig:
    /// the same joints, rest pose, names, bone table, avatar asset and options.
    /// </summary>
    internal static class RigCache
    {
        internal sealed class Entry
        {
            internal NativeSkeleton Skeleton;
            internal NativeAvatar Avatar;
            internal int[] BoneJoints;
            internal string Description;
            internal int[] Parents;
            internal SinewTransform[] Rest;
            internal string[] Names;
            internal int[] Table;
            internal Avatar Asset;
            internal AvatarOptions Options;
            internal int Users;
        }

        private static readonly List<Entry> entries = new List<Entry>();

        /// <summary>Number of different rigs in use.</summary>
        internal static int Count
        {
            get { return entries.Count; }
        }

        /// <summary>The entry of an equal rig, with one user more; null when there is
        /// none.</summary>
        internal static Entry Find(int[] parents, SinewTransform[] rest, string[] names, int[] table, Avatar asset, AvatarOptions options)
        {
            for (int i = 0; i < entries.Count; i++)
            {
                Entry entry = entries[i];
                if (!ReferenceEquals(entry.Asset, asset) || !Same(entry.Parents, parents) || !Same(entry.Table, table)) continue;
                if (!Same(entry.Rest, rest) || !Same(entry.Names, names) || !entry.Options.SameAs(options)) continue;
                entry.Users++;
                return entry;
            }
            return null;
        }

        internal static Entry Add(
            int[] parents, SinewTransform[] rest, string[] names, int[] table, Avatar asset, AvatarOptions options,
            NativeSkeleton skeleton, NativeAvatar avatar, int[] boneJoints, string description)
        {
            Entry entry = new Entry
            {
                Parents = parents, Rest = (SinewTransform[])rest.Clone(), Names = names, Table = table, Asset = asset, Options = options,
                Skeleton = skeleton, Avatar = avatar, BoneJoints = boneJoints, Description = description, Users = 1,
            };
            entries.Add(entry);
            return entry;
        }

        /// <summary>One user less; the last one takes the native objects with it.</summary>
        internal static void Release(Entry entry)
        {
            if (--entry.Users > 0) return;
            entries.Remove(entry);
            if (entry.Avatar != null) entry.Avatar.Dispose();
            entry.Skeleton.Dispose();
        }

        private static bool Same(int[] a, int[] b)
        {
            if (ReferenceEquals(a, b)) return true;
            if (a == null || b == null || a.Length != b.Length) return false;
            for (int i = 0; i < a.Length; i++)
                if (a[i] != b[i]) return false;
            return true;
        }

        private static bool Same(string[] a, string[] b)
        {
            if (a.Length != b.Length) return false;
            for (int i = 0; i < a.Length; i++)
                if (a[i] != b[i]) return false;
            return true;
        }

        private static unsafe bool Same(SinewTransform[] a, SinewTransform[] b)
        {
            if (a.Length != b.Length) return false;
            fixed (SinewTransform* x = a)
            fixed (SinewTransform* y = b)
            {
                int* p = (int*)x;
                int* q = (int*)y;
                for (int i = 0; i < a.Length * sizeof(SinewTransform) / sizeof(int); i++)
                    if (p[i] != q[i]) return false;
            }
            return true;
        }
    }
}
