#if UNITY_EDITOR
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using UnityEngine;

namespace Sinew.Tests.Parity
{
    /// <summary>
    /// Compares what the twins recorded and writes it down. Unity's answer is what is to be
    /// learned: nothing here says which of the two is right, and no difference is a failure.
    /// </summary>
    internal sealed class ParityReport
    {
        /// <summary>The worst of a scene.</summary>
        internal sealed class Row
        {
            internal string Scene;
            internal float Metres;
            internal float Degrees;
            internal float Numbers;
            internal string Worst = "";
            internal bool AreEventsTheSame;
            internal int Missing;
        }

        internal readonly List<Row> Rows = new List<Row>();
        private readonly StringBuilder scenes = new StringBuilder();

        internal void Add(ParityScene scene, ParityDriver unity, ParityDriver sinew)
        {
            Row row = new Row { Scene = scene.Name, AreEventsTheSame = string.Join(";", unity.Events.ToArray()) == string.Join(";", sinew.Events.ToArray()) };
            StringBuilder records = new StringBuilder();
            int pairs = 0;
            // Records are compared by frame and name, in the order of their coming.
            List<ParityRecord> others = new List<ParityRecord>(sinew.Records);
            for (int i = 0; i < unity.Records.Count; i++)
            {
                ParityRecord own = unity.Records[i];
                int at = others.FindIndex(other => other.Frame == own.Frame && other.What == own.What);
                if (at < 0)
                {
                    row.Missing++;
                    continue;
                }
                ParityRecord other2 = others[at];
                others.RemoveAt(at);
                float difference = Difference(own, other2);
                Take(row, own, difference);
                if (pairs++ > 0) records.Append(",");
                records.Append("\n        {\"frame\":").Append(own.Frame).Append(",\"what\":").Append(Text(own.What)).Append(",\"kind\":")
                    .Append(Text(own.Kind.ToString())).Append(",\"unity\":").Append(Numbers(own.Values)).Append(",\"sinew\":")
                    .Append(Numbers(other2.Values)).Append(",\"difference\":").Append(Number(difference)).Append("}");
            }
            row.Missing += others.Count;
            Rows.Add(row);
            if (scenes.Length > 0) scenes.Append(",");
            scenes.Append("\n    {\"name\":").Append(Text(scene.Name)).Append(",\"question\":").Append(Text(scene.Question))
                .Append(",\"metres\":").Append(Number(row.Metres)).Append(",\"degrees\":").Append(Number(row.Degrees))
                .Append(",\"numbers\":").Append(Number(row.Numbers)).Append(",\"worst\":").Append(Text(row.Worst))
                .Append(",\"missing\":").Append(row.Missing)
                .Append(",\"unityEvents\":").Append(Text(string.Join("; ", unity.Events.ToArray())))
                .Append(",\"sinewEvents\":").Append(Text(string.Join("; ", sinew.Events.ToArray())))
                .Append(",\"records\":[").Append(records).Append("]}");
        }

        /// <summary>Distance in metres, angle in degrees, or the difference of two
        /// numbers.</summary>
        internal static float Difference(ParityRecord a, ParityRecord b)
        {
            switch (a.Kind)
            {
                case ParityKind.Point: return (PointOf(a) - PointOf(b)).magnitude;
                case ParityKind.Rotation: return Quaternion.Angle(RotationOf(a), RotationOf(b));
                default: return Mathf.Abs(a.Values[0] - b.Values[0]);
            }
        }

        /// <summary>One line per scene: where the twins differ most.</summary>
        internal string Table()
        {
            StringBuilder table = new StringBuilder();
            table.Append("scene | mm | degrees | numbers | same messages | worst\n");
            for (int i = 0; i < Rows.Count; i++)
            {
                Row row = Rows[i];
                table.Append(row.Scene).Append(" | ").Append((row.Metres * 1000f).ToString("0.00", CultureInfo.InvariantCulture)).Append(" | ")
                    .Append(row.Degrees.ToString("0.00", CultureInfo.InvariantCulture)).Append(" | ")
                    .Append(row.Numbers.ToString("0.###", CultureInfo.InvariantCulture)).Append(" | ")
                    .Append(row.AreEventsTheSame ? "yes" : "no").Append(" | ").Append(row.Worst).Append("\n");
            }
            return table.ToString();
        }

        internal string Json(string unityVersion, string platform)
        {
            return "{\n  \"format\":\"sinew-parity-1\",\"unity\":" + Text(unityVersion) + ",\"platform\":" + Text(platform) + ",\"sinew\":"
                + Text(SinewLibrary.Version.ToString()) + ",\n  \"summary\":" + Text(Table()) + ",\n  \"scenes\":[" + scenes + "\n  ]\n}\n";
        }

        private static void Take(Row row, ParityRecord own, float difference)
        {
            // What is not a number is as far off as can be.
            float value = float.IsNaN(difference) ? float.PositiveInfinity : difference;
            bool isWorst = false;
            if (own.Kind == ParityKind.Point && value > row.Metres)
            {
                row.Metres = value;
                isWorst = true;
            }
            if (own.Kind == ParityKind.Rotation && value > row.Degrees)
            {
                row.Degrees = value;
                isWorst = row.Metres < 1e-3f;
            }
            if (own.Kind == ParityKind.Number) row.Numbers = Mathf.Max(row.Numbers, value);
            if (isWorst) row.Worst = own.What + " in frame " + own.Frame;
        }

        private static Vector3 PointOf(ParityRecord record)
        {
            return new Vector3(record.Values[0], record.Values[1], record.Values[2]);
        }

        private static Quaternion RotationOf(ParityRecord record)
        {
            return new Quaternion(record.Values[0], record.Values[1], record.Values[2], record.Values[3]);
        }

        private static string Numbers(float[] values)
        {
            StringBuilder text = new StringBuilder("[");
            for (int i = 0; i < values.Length; i++) text.Append(i > 0 ? "," : "").Append(Number(values[i]));
            return text.Append("]").ToString();
        }

        // JSON has no NaN and no infinity.
        private static string Number(float value)
        {
            return float.IsNaN(value) || float.IsInfinity(value) ? "null" : value.ToString("R", CultureInfo.InvariantCulture);
        }

        private static string Text(string text)
        {
            StringBuilder quoted = new StringBuilder("\"");
            for (int i = 0; i < text.Length; i++)
            {
                char c = text[i];
                if (c == '"' || c == '\\') quoted.Append('\\').Append(c);
                else if (c == '\n') quoted.Append("\\n");
                else if (c < ' ') quoted.Append(' ');
                else quoted.Append(c);
            }
            return quoted.Append("\"").ToString();
        }
    }
}
#endif
