import { styled } from '@mui/material/styles'
import useAutocomplete from '@mui/material/useAutocomplete'
import { limits } from '@portal/contracts/shared/rules'
import { useState, type Ref } from 'react'
import { TextField } from '../../../../ui/text-field.tsx'
import { ToolLogo } from '../../components/tools.tsx'
import { findTools, type KnownTools } from './known-tools.ts'
import type { NewTool } from './use-parts.ts'

const Frame = styled('div')({ position: 'relative' })

const Suggestions = styled('ul')(({ theme }) => ({
  position: 'absolute',
  zIndex: 2,
  top: '100%',
  insetInline: 0,
  maxHeight: 6.5 * theme.portal.sizes.target,
  overflowY: 'auto',
  listStyle: 'none',
  margin: theme.spacing(1, 0, 0),
  padding: theme.spacing(1, 0),
  borderRadius: theme.portal.radii.control,
  background: theme.vars.palette.background.paper,
  boxShadow: theme.vars.palette.portal.shadow,
  '& > li': {
    display: 'grid',
    gridTemplateColumns: 'auto minmax(0, 1fr)',
    alignItems: 'center',
    gap: theme.spacing(3),
    minHeight: theme.portal.sizes.target,
    padding: theme.spacing(1, 3),
    overflowWrap: 'anywhere',
    cursor: 'pointer',
  },
  '& > .Mui-focused': { background: theme.vars.palette.portal.accentSoft },
}))

type ToolNameFieldProps = {
  readonly known: KnownTools
  readonly value: string
  readonly onType: (text: string) => void
  readonly onChoose: (tool: NewTool) => void
  readonly autoFocus: boolean
  readonly error: string | undefined
  readonly ref: Ref<HTMLInputElement>
}

/** A field for any name, with suggestions: the tools of all programs. */
export const ToolNameField = ({ known, value, onType, onChoose, autoFocus, error, ref }: ToolNameFieldProps) => {
  const [isOpen, setOpen] = useState(false)
  const found = findTools(known.tools, value)
  const { getRootProps, getInputProps, getListboxProps, getOptionProps, groupedOptions, id } = useAutocomplete<
    NewTool,
    false,
    false,
    true
  >({
    freeSolo: true,
    options: found,
    filterOptions: (tools) => tools,
    // Without suggestions there is nothing that Escape could close, so that it closes the editor of a row.
    open: isOpen && found.length > 0,
    onOpen: () => setOpen(true),
    onClose: () => setOpen(false),
    getOptionLabel: (tool) => (typeof tool === 'string' ? tool : tool.name),
    value: null,
    inputValue: value,
    onInputChange: (_event, text, reason) => {
      if (reason === 'input') onType(text)
    },
    onChange: (_event, tool) => {
      if (tool !== null && typeof tool !== 'string') onChoose(tool)
    },
  })
  const shown = groupedOptions.filter((option) => 'name' in option)
  return (
    <Frame {...getRootProps()}>
      <TextField
        label="Tool name"
        id={id}
        autoFocus={autoFocus}
        inputProps={{ ...getInputProps(), maxLength: limits.nameChars }}
        ref={ref}
        onFocus={known.load}
        error={error}
      />
      {shown.length > 0 && (
        <Suggestions {...getListboxProps()} aria-label="Known tools" aria-labelledby={undefined}>
          {shown.map((tool, index) => {
            const { key, ...option } = getOptionProps({ option: tool, index })
            return (
              <li key={key} {...option}>
                <ToolLogo size="small" tool={tool} />
                {tool.name}
              </li>
            )
          })}
        </Suggestions>
      )}
    </Frame>
  )
}
