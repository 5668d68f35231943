/** The mark's geometry on a 32 px grid, shared by the components and the icon of the browser tab (vite.config.ts). */
export const ribbonPaths = ['M3 4h7v24H3z', 'M22 4h7v24h-7z'] as const
export const foldPaths = ['M10 4l6 8.500v10L10 14z', 'M22 4l-6 8.500v10l6-8.500z'] as const
