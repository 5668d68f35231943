/** The logo's geometry on a 32 px grid, shared by the components, the favicon and the app icons. */
export const ribbonPaths = ['M3 4h7v24H3z', 'M22 4h7v24h-7z'] as const
export const foldPath = 'M10 4l6 8.5L22 4v10l-6 8.5L10 14z'
