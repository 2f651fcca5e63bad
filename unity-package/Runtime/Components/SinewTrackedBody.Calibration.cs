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

        /// <summary>Calibrates in some seconds: time to take the pose after pressing a
        /// button.</summary>
        public void CalibrateAfter(float seconds)
        {
            countdown = Mathf.Max(0f, seconds);
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
        /// T-pose, and adds a line for each that is not a stray. Returns how many.</summary>
        public int AssignTrackers(IList<Transform> candidates)
        {
            Vector3[] places = new Vector3[candidates.Count];
            for (int i = 0; i < places.Length; i++) places[i] = candidates[i].position;
            int[] roles = RolesOf(places);
            int count = 0;
            for (int i = 0; i < roles.Length; i++)
            {
                if (roles[i] < 0) continue;
                trackers.Add(new SinewTracker((SinewTrackerRole)roles[i], candidates[i]));
                count++;
            }
            return count;
        }

#if SINEW_XR
        /// <summary>The same for the hardware trackers of UnityEngine.XR.</summary>
        public int AssignHardwareTrackers()
        {
            List<string> serials = new List<string>();
            List<Vector3> places = new List<Vector3>();
            SinewTracker.HardwareTrackers(serials, places);
            for (int i = 0; i < places.Count; i++) places[i] = Origin().TransformPoint(places[i]);
            int[] roles = RolesOf(places.ToArray());
            int count = 0;
            for (int i = 0; i < roles.Length; i++)
            {
                if (roles[i] < 0) continue;
                SinewTracker made = new SinewTracker((SinewTrackerRole)roles[i], SinewTrackerNode.HardwareTracker);
                made.serialNumber = serials[i];
                trackers.Add(made);
                count++;
            }
            return count;
        }
#endif

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
