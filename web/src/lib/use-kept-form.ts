import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { draftKey, readDraft, removeDraft, writeDraft } from './drafts.ts'
import { useSession } from './session.ts'

const keepDelayMs = 300

/**
 * Calls `keep` a moment after each change that `listen` reports, and at the latest when the page is left. A killed browser loses the last
 * letters. `listen` returns how to stop.
 */
export const useKeepSoon = (listen: (onChange: () => void) => () => void, keep: () => void): void => {
  const keepNow = useEffectEvent(keep)
  const start = useEffectEvent(listen)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = start(() => {
      clearTimeout(timer)
      timer = setTimeout(keepNow, keepDelayMs)
    })
    const onHide = () => keepNow()
    window.addEventListener('pagehide', onHide)
    return () => {
      clearTimeout(timer)
      stop()
      window.removeEventListener('pagehide', onHide)
      keepNow()
    }
  }, [])
}

type KeptForm = {
  /** Distinguishes the forms of one user: 'profile', 'program:new', … */
  readonly name: string
  /** The schema of the fields that are kept. Passwords never are. */
  readonly fields: z.ZodType<Readonly<Record<string, unknown>>>
  readonly isPersonal?: boolean
}

/**
 * Keeps the changed fields of a form on this device until `forget`: over a reload, a crash and the end of the session. Fields
 * that were not changed follow the server. Returns whether changes were restored.
 */
export const useKeptForm = <Values extends FieldValues, Checked extends FieldValues>(
  form: Pick<UseFormReturn<Values, unknown, Checked>, 'setValue' | 'subscribe'>,
  { name, fields, isPersonal = false }: KeptForm,
) => {
  const owner = useSession()?.user._id
  // The form of an ended session still belongs to its user.
  const [key] = useState(() => owner && draftKey(owner, name, { isPersonal }))
  const [kept] = useState(() => key && readDraft(key, fields))
  const changed = useRef<unknown>(undefined)
  /** The fields that this tab has kept, or restored. */
  const own = useRef<ReadonlySet<string>>(new Set(Object.keys(kept ?? {})))
  const isForgotten = useRef(false)
  const { setValue, subscribe } = form

  const restore = useEffectEvent(() => {
    // `fields` has checked both.
    for (const [field, value] of Object.entries(kept ?? {}))
      setValue(field as FieldPath<Values>, value as never, { shouldDirty: true })
  })
  const keep = () => {
    if (!key || isForgotten.current || changed.current === undefined) return
    const { data = {} } = fields.safeParse(changed.current)
    // What another tab has kept of other fields stays.
    const others = Object.entries(readDraft(key, fields) ?? {}).filter(([field]) => !own.current.has(field))
    own.current = new Set([...own.current, ...Object.keys(data)])
    const next = { ...Object.fromEntries(others), ...data }
    if (Object.keys(next).length > 0) writeDraft(key, next)
    else removeDraft(key)
  }

  const listen = (onChange: () => void) =>
    subscribe({
      formState: { values: true, dirtyFields: true },
      callback: ({ values, dirtyFields = {} }) => {
        changed.current = Object.fromEntries(
          Object.entries(values).filter(([field]) => Object.hasOwn(dirtyFields, field)),
        )
        onChange()
      },
    })
  useKeepSoon(listen, keep)
  useEffect(() => restore(), [])

  return {
    isRestored: kept !== undefined,
    /** After the changes were saved or discarded. */
    forget: () => {
      isForgotten.current = true
      if (key) removeDraft(key)
    },
  }
}
