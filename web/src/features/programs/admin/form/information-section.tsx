import { styled } from '@mui/material/styles'
import type { Program } from '@portal/contracts/catalog/program'
import { limits } from '@portal/contracts/shared/rules'
import { useEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { TextField } from '../../../../ui/text-field.tsx'
import { FeeField, FeeTotal } from './fee-field.tsx'
import { FormSection } from './form-section.tsx'
import { typedCount, valuesOf, type InformationForm } from './program-values.ts'

/** Shows what another admin has saved in the fields that are unchanged here; changed fields keep what was typed. */
export const useLatestValues = (form: InformationForm, program: Program | null): void => {
  const shown = useRef(program)
  const { reset, formState } = form
  // `reset` tracks dirty fields only if they are read, and would end a save in flight.
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

const Fields = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(5, 4),
  gridTemplateColumns: 'minmax(0, 1fr)',
  [theme.breakpoints.up('sm')]: {
    gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
    '& > *': { gridColumn: 'span 3' },
    '& > .third': { gridColumn: 'span 1' },
  },
  '& > div': { minWidth: 0 },
}))

const atMost = (maxLength: number) => ({ inputProps: { maxLength } })

export const InformationSection = ({ form }: { readonly form: InformationForm }) => {
  const { field } = form
  return (
    <FormSection title="Program Information">
      <Fields>
        <TextField
          label="Program name"
          required
          autoComplete="off"
          {...atMost(limits.nameChars)}
          {...field('programName')}
        />
        <TextField
          label="Program ID"
          hint="Auto-generated if left empty"
          autoComplete="off"
          {...atMost(limits.nameChars)}
          {...field('programId')}
        />
        <TextField
          label="Detail"
          multiline
          minRows={3}
          maxRows={10}
          {...atMost(limits.detailChars)}
          {...field('detail')}
        />
        <TextField label="College name" autoComplete="off" {...atMost(limits.nameChars)} {...field('collegeName')} />
        <TextField
          label="Eligibility"
          multiline
          minRows={2}
          maxRows={8}
          {...atMost(limits.detailChars)}
          {...field('eligibility')}
        />
        <div className="third">
          <FeeField form={form} name="fee" label="Fee" hint="Such as ₹45,000" />
        </div>
        <div className="third">
          <TextField
            label="Registration fee"
            hint="In rupees"
            autoComplete="off"
            {...atMost(limits.shortTextChars)}
            {...field('enrollmentDetails.fee')}
          />
        </div>
        <div className="third">
          <TextField
            label="Semester count"
            type="number"
            inputProps={{ min: 1, max: limits.semesters, step: 1 }}
            {...field('semesterCount')}
          />
        </div>
        <SemesterFees form={form} />
        <FeeTotal form={form} />
      </Fields>
    </FormSection>
  )
}

/** One fee for each semester. While the typed count is invalid, the fields stay as they are. */
const SemesterFees = ({ form }: { readonly form: InformationForm }) => {
  const typed = typedCount(useWatch({ control: form.control, name: 'semesterCount' }))
  const [shown, setShown] = useState(typed ?? 1)
  if (typed !== null && typed !== shown) setShown(typed)
  return Array.from({ length: shown }, (_, index) => (
    <div key={index} className="third">
      <FeeField form={form} name={`semesters.${index}.fee`} label={`Semester ${index + 1} fee`} />
    </div>
  ))
}
