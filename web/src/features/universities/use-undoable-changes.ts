import type { University } from '@portal/contracts/catalog/http'
import { useState } from 'react'
import { groupedAsInIndia } from '../../lib/number-format.ts'
import { useToast } from '../../ui/toast/atoms.ts'
import { useRowHighlight } from '../../ui/use-row-highlight.ts'
import {
  failures,
  requestAdd,
  requestRemove,
  requestRename,
  type SavedName,
  type Universities,
} from './use-universities.ts'

/** One toast for the latest change. */
const subject = 'universities'

export const countText = (count: number): string =>
  `${groupedAsInIndia(count)} ${count === 1 ? 'university' : 'universities'}`

/** The changes of the list with a toast for each, which can undo it, and with the changed row in view. */
export const useUndoableChanges = ({ add, rename, remove, load }: Universities) => {
  const toast = useToast()
  const { highlight, rowRef } = useRowHighlight()
  /** Shown first, because new rows would be out of view in a long list. */
  const [pinned, setPinned] = useState<ReadonlySet<string>>(new Set())

  const show = (...shown: readonly University[]) => {
    setPinned(new Set(shown.map(({ _id }) => _id)))
    if (shown[0]) highlight(shown[0]._id)
  }

  /** An undo may fail on another page, where only a toast can say so. */
  const undo = async (requests: () => AsyncIterable<{ readonly success: boolean }>, failure: string) => {
    for await (const { success } of requests()) {
      if (success) continue
      toast.error(failure, { subject })
      break
    }
    await load()
  }

  const reportAdded = (added: readonly University[]) => {
    const [first] = added
    if (!first) return
    show(...added)
    const removeAll = async function* removeAll() {
      for (const university of added) yield await requestRemove(university)
    }
    toast.success(`${added.length === 1 ? first.name : countText(added.length)} added`, {
      subject,
      undo: { onUndo: () => void undo(removeAll, failures.delete) },
    })
  }

  const addOne = async (name: string): Promise<SavedName> => {
    const added = await add(name)
    if (added.university) reportAdded([added.university])
    return added
  }

  const renameOne = async (university: University, name: string): Promise<SavedName> => {
    const renamed = await rename(university, name)
    if (!renamed.university || name === university.name) return renamed
    highlight(university._id)
    const renameBack = async function* renameBack() {
      yield await requestRename(university, university.name)
      highlight(university._id)
    }
    toast.success(`${university.name} renamed to ${name}`, {
      subject,
      undo: { onUndo: () => void undo(renameBack, failures.update) },
    })
    return renamed
  }

  const removeOne = async (university: University): Promise<boolean> => {
    const isRemoved = await remove(university)
    if (!isRemoved) return false
    const addBack = async function* addBack() {
      const answer = await requestAdd(university.name)
      if (answer.success) show(answer.data.data)
      yield answer
    }
    toast.success(`${university.name} deleted`, { subject, undo: { onUndo: () => void undo(addBack, failures.add) } })
    return true
  }

  return { addOne, renameOne, removeOne, reportAdded, pinned, unpin: () => setPinned(new Set()), rowRef }
}
