/** jotai behind one file: what the portal uses of it, and nothing else. */
export { atom, createStore, Provider as StoreProvider, useAtom, useAtomValue, useSetAtom, useStore } from 'jotai'
export type { Atom, PrimitiveAtom, WritableAtom } from 'jotai'
