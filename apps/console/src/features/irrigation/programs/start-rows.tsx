import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import type { IrrigationPlan } from '@isotherm/contract/irrigation'
import { Button, Input, InputNumber, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { toClock } from '../../../shared/week/clock-text.ts'
import styles from '../irrigation.module.css'
import { Field } from './field.tsx'

type Start = IrrigationPlan['starts'][number]
const kinds = ['time', 'sunrise', 'sunset'] as const
const PROPOSED: Start = { kind: 'time', minute: 1_200 }

const toStart = (kind: Start['kind']): Start =>
  kind === 'time' ? { kind, minute: 300 } : { kind, offsetMin: 0 }

/** Minutes after midnight of a text such as 05:30; undefined for other texts. */
function toMinute(text: string): number | undefined {
  const [hours, minutes] = text.split(':').map(Number)
  return hours === undefined || minutes === undefined ? undefined : hours * 60 + minutes
}

interface StartRowsProps {
  readonly starts: readonly Start[]
  readonly onStarts: (starts: readonly Start[]) => void
}

/** Starts of a program: a local time, or minutes from sunrise or sunset. */
export function StartRows({ starts, onStarts }: StartRowsProps) {
  const { t } = useTranslation('irrigation')
  const change = (index: number, start: Start) =>
    onStarts(starts.map((each, at) => (at === index ? start : each)))
  return (
    <Field label={t('program.starts')}>
      <span className={styles.stack}>
        {starts.map((start, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own
          <span key={index} className={styles.line} data-testid="program-start">
            <Select<Start['kind']>
              style={{ width: 110 }}
              aria-label={t('program.starts')}
              value={start.kind}
              options={kinds.map((value) => ({ value, label: t(`program.startKind.${value}`) }))}
              onChange={(kind) => change(index, toStart(kind))}
            />
            {start.kind === 'time' ? (
              <Input
                type="time"
                style={{ width: 130 }}
                aria-label={t('program.startKind.time')}
                data-testid="program-start-time"
                value={toClock(start.minute)}
                onChange={({ target }) => {
                  const minute = toMinute(target.value)
                  if (minute !== undefined) change(index, { kind: 'time', minute })
                }}
              />
            ) : (
              <InputNumber
                aria-label={t('program.offset')}
                min={-720}
                max={720}
                precision={0}
                value={start.offsetMin}
                onChange={(offsetMin) => change(index, { ...start, offsetMin: offsetMin ?? 0 })}
              />
            )}
            {starts.length > 1 && (
              <Button
                type="text"
                icon={<DeleteOutlined />}
                aria-label={t('remove')}
                onClick={() => onStarts(starts.filter((_, at) => at !== index))}
              />
            )}
          </span>
        ))}
        <span>
          <Button size="small" icon={<PlusOutlined />} onClick={() => onStarts([...starts, PROPOSED])}>
            {t('program.addStart')}
          </Button>
        </span>
      </span>
    </Field>
  )
}
