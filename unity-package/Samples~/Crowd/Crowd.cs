using UnityEngine;

namespace Sinew.Samples
{
    /// <summary>
    /// Fills the ground with copies of one figure. All of them are solved in one native call per
    /// frame; the Sinew World of the scene chooses how often, by distance.
    /// </summary>
    public sealed class Crowd : MonoBehaviour
    {
        /// <summary>The figure that is copied.</summary>
        public GameObject figure;

        /// <summary>How many there are in the end.</summary>
        public int count = 200;

        /// <summary>Metres from one to the next.</summary>
        public float spacing = 1.4f;

        /// <summary>How many there are now.</summary>
        public int Made { get; private set; }

        private void Start()
        {
            Made = 1;
            int columns = Mathf.Max(1, (int)Mathf.Ceil(Mathf.Sqrt(count)));
            Vector3 first = figure.transform.position;
            for (int i = 1; i < count; i++, Made++)
            {
                GameObject copy = Instantiate(figure);
                copy.name = "Figure " + i;
                copy.transform.position = first + new Vector3((i % columns) * spacing, 0f, (i / columns) * spacing);
            }
        }
    }
}
