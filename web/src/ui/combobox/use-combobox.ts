import { useState, type KeyboardEvent } from 'react'
import { normalizeText } from '@portal/contracts/shared/search-text'
import { matchesAllWords } from '../../lib/search-text.ts'

/** More rows would slow typing down on a phone, and few users scroll through them. */
const maxShownOptions = 50

type ComboboxOptions = {
  readonly value: string
  readonly options: readonly string[]
  readonly onChange: (value: string) => void
}

/** The state of a combobox: the typed text, the options that match it, and the one that Enter would choose. */
export const useCombobox = ({ value, options, onChange }: ComboboxOptions) => {
  /** Undefined until the user types. */
  const [typed, setTyped] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)

  const found =
    typed === undefined ? options : options.filter((option) => matchesAllWords(normalizeText(option), typed))
  const shown = found.slice(0, maxShownOptions)

  const open = () => {
    setOpen(true)
    setActive(shown.indexOf(value))
  }
  const close = () => {
    setOpen(false)
    setActive(-1)
    setTyped(undefined)
  }
  const choose = (option: string) => {
    close()
    if (option !== value) onChange(option)
  }
  const type = (text: string) => {
    setTyped(text)
    setOpen(true)
    // Enter chooses the best match.
    setActive(text.trim() === '' ? -1 : 0)
  }
  /** Leaving the field chooses the only match. An emptied field has no value; any other text is discarded. */
  const leave = () => {
    const [only, ...others] = found
    if (typed?.trim() === '') choose('')
    else if (typed !== undefined && only !== undefined && others.length === 0) choose(only)
    else close()
  }

  const move = (event: KeyboardEvent, to: (from: number) => number) => {
    event.preventDefault()
    if (isOpen) setActive(shown.length === 0 ? -1 : (to(active) + shown.length) % shown.length)
    else open()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes a character, the keys are its own.
    if (event.nativeEvent.isComposing) return
    const chosen = shown[active]
    if (event.key === 'ArrowDown') move(event, (from) => from + 1)
    else if (event.key === 'ArrowUp') move(event, (from) => Math.max(from, 0) - 1)
    else if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      if (chosen !== undefined) choose(chosen)
    }
  }

  return {
    text: typed ?? value,
    isOpen,
    found: found.length,
    shown,
    active: Math.min(active, shown.length - 1),
    open,
    close,
    choose,
    type,
    leave,
    onKeyDown,
  }
}
