/** What users meet after the first view, with its texts. */
export async function loadRest() {
  const rest = await import('./manage.ts')
  await rest.texts
  return rest
}
