// How `changeset version` writes a release into CHANGELOG.md: what a change's file says, as it says it. All packages have
// one version, so that one has moved with another is no news.
export default {
  getReleaseLine: ({ summary }) => summary,
  getDependencyReleaseLine: () => '',
};
