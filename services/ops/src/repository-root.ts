import { fileURLToPath } from 'node:url'

/** The root of the repository, or of the image, which has the same layout. */
export const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url))
