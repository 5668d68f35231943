import { routeError } from '../shared/route.ts'

export const pictureNotFound = routeError('not-found', 'Picture not found')
export const pictureUnreadable = routeError('invalid', 'This file is damaged or is not a picture')
export const pictureTooLarge = routeError('payload-too-large', 'A picture must be at most 512 kB')
export const pictureUnsupported = routeError('unsupported-media-type', 'A picture must be a PNG, JPEG or WebP file')
export const tooManyPictures = (wait: string) =>
  routeError('too-many-requests', `Too many pictures uploaded. Please try again in ${wait}.`)
