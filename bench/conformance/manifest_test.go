package conformance

import (
	"os"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"
)

// TestKubernetesManifest reads the README's manifest into Kubernetes' own types,
// which refuse a field that they do not have, and looks at what the commands
// count on: an index, a pod for each, and one volume.
func TestKubernetesManifest(t *testing.T) {
	manifest, err := os.ReadFile("../../testdata/recipes/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	jobs := map[string]batchv1.Job{}
	for _, document := range strings.Split(string(manifest), "\n---\n") {
		var job batchv1.Job
		if err := yaml.UnmarshalStrict([]byte(document), &job); err != nil {
			t.Fatalf("%v in\n%s", err, document)
		}
		if job.APIVersion != "batch/v1" || job.Kind != "Job" {
			t.Errorf("%s is a %s %s", job.Name, job.APIVersion, job.Kind)
		}
		pod := job.Spec.Template.Spec
		if len(pod.Containers) != 1 || len(pod.Volumes) != 1 || pod.RestartPolicy != "Never" {
			t.Fatalf("the pod of %s: %+v", job.Name, pod)
		}
		c := pod.Containers[0]
		if len(c.VolumeMounts) != 1 || c.VolumeMounts[0].Name != pod.Volumes[0].Name || c.VolumeMounts[0].MountPath != c.WorkingDir {
			t.Errorf("%s works in %s and mounts %+v", job.Name, c.WorkingDir, c.VolumeMounts)
		}
		// The comment applies the Jobs one after the other by this label.
		if !strings.Contains(string(manifest), "-l step="+job.Labels["step"]+"\n") {
			t.Errorf("nobody applies %s, labelled %v", job.Name, job.Labels)
		}
		jobs[job.Name] = job
	}
	shards, merge := jobs["arrowagg-shards"], jobs["arrowagg-merge"]
	if mode := shards.Spec.CompletionMode; mode == nil || *mode != batchv1.IndexedCompletion {
		t.Errorf("the shards complete by %v", mode)
	}
	if mode := merge.Spec.CompletionMode; mode != nil {
		t.Errorf("the merge completes by %v", *mode)
	}
	if !strings.Contains(string(manifest), "job/arrowagg-shards\n") {
		t.Error("nobody waits for the shards")
	}
}
