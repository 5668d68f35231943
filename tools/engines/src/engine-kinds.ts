export const engineKinds = ['eventStore', 'bus', 'readModel'] as const
export type EngineKind = (typeof engineKinds)[number]
