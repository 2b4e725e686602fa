/** Administration: loaded with it, on top of the app's texts. */
export const texts = {} as const
