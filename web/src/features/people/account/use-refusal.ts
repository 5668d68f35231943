import { useState } from 'react'
import type { Answer, Failure } from '../../../lib/http.ts'

type Form = { readonly showErrors: (errors?: Readonly<Record<string, string>>) => void }

/** Shows the refusal of a change at its fields, or below them if it belongs to none. */
export const useRefusal = ({ showErrors }: Form) => {
  const [failure, setFailure] = useState<string>()

  const show = ({ errors, message }: Failure) => {
    setFailure(errors === undefined ? message : undefined)
    showErrors(errors)
  }
  return {
    failure,
    /** The data of a success; undefined once a refusal is shown. */
    accepted: async <T>(answer: Promise<Answer<T>>): Promise<T | undefined> => {
      setFailure(undefined)
      const given = await answer
      if (given.success) return given.data
      show(given)
      return undefined
    },
  }
}
