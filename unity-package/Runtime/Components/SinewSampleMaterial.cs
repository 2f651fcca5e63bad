using UnityEngine;
using UnityEngine.Rendering;

namespace Sinew
{
    /// <summary>
    /// For the scenes of the samples, whose materials are those of the built-in render pipeline: in
    /// a project with another one (URP, HDRP) the renderer takes that one's default material.
    /// </summary>
    [AddComponentMenu("")]
    [ExecuteAlways]
    [RequireComponent(typeof(Renderer))]
    public sealed class SinewSampleMaterial : MonoBehaviour
    {
        private void OnEnable()
        {
            RenderPipelineAsset pipeline = GraphicsSettings.currentRenderPipeline;
            Material material = pipeline != null ? pipeline.defaultMaterial : null;
            Renderer own;
            if (material != null && TryGetComponent(out own)) own.sharedMaterial = material;
        }
    }
}
