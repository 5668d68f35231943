import { styled } from '@mui/material/styles'
import { limits } from '@portal/contracts/shared/rules'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { useCheckedForm } from '../../../../lib/form.ts'
import { TextField } from '../../../../ui/text-field.tsx'
import { FormSection } from './form-section.tsx'
import { typedCount, type Information, type InformationValues } from './program-values.ts'

export type InformationForm = ReturnType<typeof useCheckedForm<InformationValues, Information>>

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

const most = (maxLength: number) => ({ inputProps: { maxLength } })

export const InformationSection = ({ form }: { readonly form: InformationForm }) => {
  const { field } = form
  return (
    <FormSection title="Program Information">
      <Fields>
        <TextField
          label="Program name"
          required
          autoComplete="off"
          {...most(limits.nameChars)}
          {...field('programName')}
        />
        <TextField
          label="Program ID"
          hint="Auto-generated if left empty"
          autoComplete="off"
          {...most(limits.nameChars)}
          {...field('programId')}
        />
        <TextField
          label="Detail"
          multiline
          minRows={3}
          maxRows={10}
          {...most(limits.detailChars)}
          {...field('detail')}
        />
        <TextField label="College name" autoComplete="off" {...most(limits.nameChars)} {...field('collegeName')} />
        <TextField
          label="Eligibility"
          multiline
          minRows={2}
          maxRows={8}
          {...most(limits.detailChars)}
          {...field('eligibility')}
        />
        <div className="third">
          <TextField
            label="Fee"
            hint="Such as ₹45,000"
            autoComplete="off"
            {...most(limits.shortTextChars)}
            {...field('fee')}
          />
        </div>
        <div className="third">
          <TextField
            label="Registration fee"
            hint="In rupees"
            autoComplete="off"
            {...most(limits.shortTextChars)}
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
      </Fields>
    </FormSection>
  )
}

/** One fee for each semester. While the count is being typed and stands for nothing, they stay as they are. */
const SemesterFees = ({ form }: { readonly form: InformationForm }) => {
  const typed = typedCount(useWatch({ control: form.control, name: 'semesterCount' }))
  const [shown, setShown] = useState(typed ?? 1)
  if (typed !== null && typed !== shown) setShown(typed)
  return Array.from({ length: shown }, (_, index) => (
    <div key={index} className="third">
      <TextField
        label={`Semester ${index + 1} fee`}
        autoComplete="off"
        {...most(limits.shortTextChars)}
        {...form.field(`semesters.${index}.fee`)}
      />
    </div>
  ))
}
