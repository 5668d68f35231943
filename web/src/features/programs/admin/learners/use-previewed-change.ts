import { useState } from 'react'
import type { Answer, Failure } from '../../../../lib/http.ts'
import type { Fates } from './api.ts'

type PreviewedChange<Body, Done> = {
  readonly request: (body: Body & { readonly dryRun: boolean }) => Promise<Answer<Done>>
  /** After the change. */
  readonly onDone: (done: Done, body: Body) => void
  readonly onClose: () => void
}

const sameFates = (a: Fates, b: Fates): boolean =>
  a.rows.length === b.rows.length && a.rows.every(({ fate }, index) => fate === b.rows[index]?.fate)

/**
 * A change that is previewed before it is confirmed. If another admin was faster, the fates differ from the preview: they stay on the
 * screen until they are closed.
 */
export const usePreviewedChange = <Body extends object, Done extends Fates>({
  request,
  onDone,
  onClose,
}: PreviewedChange<Body, Done>) => {
  const [previewed, setPreviewed] = useState<{ readonly body: Body; readonly fates: Fates }>()
  const [done, setDone] = useState<Done>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()

  const send = async (body: Body, dryRun: boolean): Promise<Done | undefined> => {
    setFailure(undefined)
    setBusy(true)
    const answer = await request({ ...body, dryRun })
    setBusy(false)
    if (answer.success) return answer.data
    setFailure(answer)
    // A field is wrong, such as a date in the future.
    if (answer.errors) setPreviewed(undefined)
    return undefined
  }

  return {
    step: done ? ('done' as const) : previewed ? ('preview' as const) : ('fields' as const),
    /** What is previewed or done. */
    body: previewed?.body,
    fates: done ?? previewed?.fates,
    busy,
    failure,
    preview: async (body: Body) => {
      const fates = await send(body, true)
      if (fates) setPreviewed({ body, fates })
    },
    confirm: async () => {
      if (!previewed) return
      const fates = await send(previewed.body, false)
      if (!fates) return
      onDone(fates, previewed.body)
      if (sameFates(fates, previewed.fates)) onClose()
      else setDone(fates)
    },
    back: () => {
      setFailure(undefined)
      setPreviewed(undefined)
    },
  }
}
