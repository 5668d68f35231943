import { fileURLToPath } from 'node:url'

/** Of the sources, and of the image, which keeps their layout. */
export const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url))
