import { Button, Popover } from 'antd'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toLocalInput } from '../format/local-input.ts'
import { InstantInput } from './instant-input.tsx'
import styles from './span-picker.module.css'

interface SpanPickerProps<Range> {
  /** Whether a custom span is active. */
  readonly isInForce: boolean
  /** Initial values each time it opens, Unix ms; `from` is absent for an open start. */
  readonly getStart: () => { readonly from?: number; readonly to: number }
  /** The range between two instants (Unix ms, NaN for none); undefined if it is not valid. */
  readonly findRange: (from: number, to: number) => Range | undefined
  readonly onRange: (range: Range) => void
}

/** Button that opens fields for a custom span. */
export function SpanPicker<Range>({ isInForce, getStart, findRange, onRange }: SpanPickerProps<Range>) {
  const { t } = useTranslation('common')
  const id = useId()
  const [open, setOpen] = useState(false)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const chosen = findRange(Date.parse(from), Date.parse(to))
  const isWrong = from !== '' && to !== '' && chosen === undefined
  const show = (isOpen: boolean) => {
    setOpen(isOpen)
    if (!isOpen) return
    const start = getStart()
    setFrom(start.from === undefined ? '' : toLocalInput(start.from))
    setTo(toLocalInput(start.to))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen === undefined) return
    setOpen(false)
    onRange(chosen)
  }
  return (
    <Popover
      trigger="click"
      open={open}
      onOpenChange={show}
      content={
        <form className={styles.form} onSubmit={submit}>
          <label htmlFor={`${id}-from`}>{t('span.from')}</label>
          <InstantInput id={`${id}-from`} step={1} value={from} onValue={setFrom} />
          <label htmlFor={`${id}-to`}>{t('span.to')}</label>
          <InstantInput id={`${id}-to`} step={1} value={to} onValue={setTo} aria-invalid={isWrong} />
          {isWrong && (
            <small className={styles.wrong} role="status">
              {t('span.wrong')}
            </small>
          )}
          <Button type="primary" htmlType="submit" disabled={chosen === undefined}>
            {t('span.apply')}
          </Button>
        </form>
      }
    >
      <Button type={isInForce ? 'primary' : 'default'}>{t('span.custom')}</Button>
    </Popover>
  )
}
