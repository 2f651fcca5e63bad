using System;
using System.Collections.Generic;
using System.IO;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

namespace Sinew
{
    // Calibration, and which tracker is worn on which part.
    public sealed unsafe partial class SinewTrackedBody
    {
        /// <summary>Whether a calibration has been found or loaded.</summary>
        public bool isCalibrated { get; private set; }

        /// <summary>Seconds until the calibration that <see cref="CalibrateAfter"/> requested; -1:
        /// none.</summary>
        public float calibrationCountdown
        {
            get { return countdown; }
        }

        /// <summary>Everything that calibration found: plain numbers. Setting it takes them over at
        /// once; an offset of a tracker is edited that way.</summary>
        public SinewTrackerCalibration calibration
        {
            get { return Built().Calibration; }
            set
            {
                Built().Calibration = value;
                KeepCalibration();
            }
        }

        /// <summary>The same as JSON, to be saved. Setting it throws a SinewException for a text
        /// that is no calibration.</summary>
        public string calibrationJson
        {
            get { return Built().CalibrationJson; }
            set
            {
                Built().CalibrationJson = value;
                KeepCalibration();
            }
        }

        /// <summary>Calibrates now: the player stands in <see cref="calibrationPose"/>, whichever
        /// way they face. May be called again at any time. False: no head tracker
        /// reports.</summary>
        public bool Calibrate()
        {
            countdown = -1f;
            if (!Build()) return false;
            FillSettings();
            ReadTrackers();
            float size = RootScale(), floor = floorHeight * OriginScale() / size;
            try
            {
                native.Calibrate(calibrationPose, sizePolicy, floor);
                if (scaleAvatar)
                {
                    // The avatar becomes as large as the player; metres of the room are its own
                    // then.
                    transform.localScale *= 1f / native.Calibration.scale;
                    ReadTrackers();
                    native.Calibrate(calibrationPose, SinewTrackerScale.Keep, floor * size / RootScale());
                }
            }
            catch (SinewException e)
            {
                Debug.LogWarning("SinewTrackedBody on '" + name + "' cannot calibrate: " + e.Message, this);
                return false;
            }
            KeepCalibration();
            return true;
        }

        /// <summary>Calibrates in some seconds: time to take the pose after pressing a button. Less
        /// than 0 and NaN count as 0: in the next pass.</summary>
        public void CalibrateAfter(float seconds)
        {
            countdown = seconds > 0f ? seconds : 0f;
        }

        /// <summary>Writes the calibration to a file.</summary>
        public void SaveCalibration(string path)
        {
            File.WriteAllText(path, calibrationJson);
        }

        /// <summary>Reads the calibration from a file. False: there is no such file.</summary>
        public bool LoadCalibration(string path)
        {
            if (!File.Exists(path)) return false;
            calibrationJson = File.ReadAllText(path);
            return true;
        }

        /// <summary>Finds what unlabelled trackers are worn on, while the player stands in the
        /// T-pose, and adds a line for each that is not a stray. Returns how many. Entries that are
        /// null or destroyed, and those whose position is not finite, are left out.</summary>
        public int AssignTrackers(IList<Transform> candidates)
        {
            if (candidates == null) throw new ArgumentNullException("candidates");
            List<Transform> present = new List<Transform>();
            List<Vector3> places = new List<Vector3>();
            for (int i = 0; i < candidates.Count; i++)
            {
                if (candidates[i] == null || !SinewTracker.IsPlace(candidates[i].position)) continue;
                present.Add(candidates[i]);
                places.Add(candidates[i].position);
            }
            return AddLines(RolesOf(places.ToArray()), (role, i) => new SinewTracker(role, present[i]));
        }

#if SINEW_XR
        /// <summary>The same for the hardware trackers of UnityEngine.XR.</summary>
        public int AssignHardwareTrackers()
        {
            List<string> serials = new List<string>();
            List<Vector3> places = new List<Vector3>();
            SinewTracker.HardwareTrackers(serials, places);
            for (int i = 0; i < places.Count; i++) places[i] = Origin().TransformPoint(places[i]);
            return AddLines(RolesOf(places.ToArray()), (role, i) => new SinewTracker(role, SinewTrackerNode.HardwareTracker) { serialNumber = serials[i] });
        }
#endif

        // A line for each that has a role.
        private int AddLines(int[] roles, Func<SinewTrackerRole, int, SinewTracker> make)
        {
            if (trackers == null) trackers = new List<SinewTracker>();
            int before = trackers.Count;
            for (int i = 0; i < roles.Length; i++)
                if (roles[i] >= 0) trackers.Add(make((SinewTrackerRole)roles[i], i));
            return trackers.Count - before;
        }

        // For a rig that is exchanged.
        private void KeepCalibration()
        {
            isCalibrated = true;
            kept = native.CalibrationJson;
        }

        private int[] RolesOf(Vector3[] places)
        {
            if (places.Length == 0) return new int[0];
            Built();
            ReadTrackers();
            return native.AssignTrackers(Array.ConvertAll(places, ToTracking), floorHeight * OriginScale() / RootScale());
        }
    }
}
