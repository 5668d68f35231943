import { styled } from '@mui/material/styles'

/** A gray box in the place of something that is still loading. */
export const Block = styled('div', {
  shouldForwardProp: (name) => name !== 'size',
})<{ readonly size: readonly [width: string, heightPx: number] }>(({ theme, size: [width, height] }) => ({
  width,
  height,
  borderRadius: theme.portal.radii.control,
  // The color of MUI's skeletons.
  background: `color-mix(in srgb, ${theme.vars.palette.text.primary} 11%, transparent)`,
}))

/** The row of a page's heading. */
export const Title = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  minHeight: theme.portal.sizes.target,
  marginBottom: theme.spacing(5),
}))

const Field = styled('div')(({ theme }) => ({
  '& > div': { ...theme.typography.subtitle2, marginBottom: theme.spacing(1.5) },
  '& > i': {
    display: 'block',
    height: 48,
    borderRadius: theme.portal.radii.control,
    border: `1px solid ${theme.vars.palette.portal.edge}`,
    background: theme.vars.palette.background.paper,
  },
  // A link below the field on the right.
  '& > b': {
    ...theme.typography.body2,
    display: 'block',
    textAlign: 'right',
    fontWeight: 600,
    color: theme.vars.palette.primary.main,
    paddingTop: theme.spacing(3),
  },
}))

/** A field that cannot take text yet. */
export const FieldOutline = ({ label, hint }: { readonly label: string; readonly hint?: string }) => (
  <Field>
    <div>{label}</div>
    <i />
    {hint !== undefined && <b>{hint}</b>}
  </Field>
)
