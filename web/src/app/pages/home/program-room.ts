import type { Room } from '../../../features/landing/later.tsx'

/** Of as many programmes as there are tracks. */
export const programRoom: Room = [1190, 620, 360]
