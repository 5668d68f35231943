import { changePreferences, getPreferences, type Preferences } from '@portal/contracts/notifications/preferences'
import { useCallback, useRef } from 'react'
import { call, type Answer } from '../../lib/http.ts'
import { updateLoaded, useQueryClient, useRequestQuery } from '../../lib/query.ts'
import { useToast } from '../../ui/toast/atoms.ts'

const key = ['preferences']

type LoadedPreferences = { readonly preferences: Preferences; readonly emailAvailable: boolean }

const requestPreferences = async (signal: AbortSignal): Promise<Answer<LoadedPreferences>> =>
  call(getPreferences, { signal })

export const usePreferences = () => {
  const { state, reload } = useRequestQuery({ key, request: requestPreferences })
  const client = useQueryClient()
  const toast = useToast()
  const latest = useRef(0)
  const saving = useRef<Promise<unknown>>(Promise.resolve())
  /** As the server has them, while changes are being saved. */
  const confirmed = useRef<Preferences>(undefined)

  /** Shows the change at once, and takes it back if the server rejects it. One request at a time, so that the last change wins. */
  const change = useCallback(
    async (before: Preferences, preferences: Preferences): Promise<void> => {
      const show = (shown: Preferences) =>
        updateLoaded<LoadedPreferences>(client, key, (data) => ({ ...data, preferences: shown }))
      const number = ++latest.current
      confirmed.current ??= before
      toast.dismiss('preferences')
      show(preferences)
      const earlier = saving.current
      const saved = (async () => {
        await earlier
        return call(changePreferences, { body: preferences, outlivesPage: true })
      })()
      saving.current = saved
      const answer = await saved
      if (answer.success) confirmed.current = answer.data.preferences
      // A later change contains this one.
      if (number !== latest.current) return
      show(confirmed.current)
      confirmed.current = undefined
      if (!answer.success) toast.error(answer.message, { subject: 'preferences' })
    },
    [client, toast],
  )
  return { state, reload, change }
}
