import type { Program } from '@portal/contracts/catalog/program'
import { useEffect, useRef } from 'react'
import type { InformationForm } from './information-section.tsx'
import { valuesOf } from './program-values.ts'

/** What another admin has saved appears in the fields that were not typed into here; what was typed stays. */
export const useFollowedValues = (form: InformationForm, program: Program | null): void => {
  const shown = useRef(program)
  const { reset, formState } = form
  // `reset` knows the typed-into fields only if somebody asks for them, and would end a save that is under way.
  const { isSubmitting, dirtyFields: _typed } = formState
  useEffect(() => {
    if (isSubmitting || shown.current === program) return
    shown.current = program
    reset(valuesOf(program), {
      keepDirtyValues: true,
      keepDirty: true,
      keepErrors: true,
      keepIsSubmitted: true,
      keepSubmitCount: true,
    })
  }, [isSubmitting, program, reset])
}
