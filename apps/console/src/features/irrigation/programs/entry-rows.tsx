import { ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import type { IrrigationPlan, IrrigationSource } from '@isotherm/contract/irrigation'
import { Button, InputNumber, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from '../irrigation.module.css'

type Entry = IrrigationPlan['entries'][number]

interface EntryRowsProps {
  readonly source: IrrigationSource
  readonly entries: readonly Entry[]
  readonly onEntries: (entries: readonly Entry[]) => void
}

/** Groups of a program in their order, with the minutes of each. */
export function EntryRows({ source, entries, onEntries }: EntryRowsProps) {
  const { t } = useTranslation('irrigation')
  const change = (index: number, part: Partial<Entry>) =>
    onEntries(entries.map((each, at) => (at === index ? { ...each, ...part } : each)))
  const moveUp = (index: number) =>
    onEntries(
      entries.map((each, at) =>
        at === index - 1 ? (entries[index] ?? each) : at === index ? (entries[index - 1] ?? each) : each,
      ),
    )
  const [first] = source.groups
  return (
    <div className={styles.stack}>
      <small>{t('program.entries')}</small>
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a group can come twice
        <div key={index} className={`${styles.line} ${styles.row}`} data-testid="program-entry">
          <Select<number>
            className={styles.grow ?? ''}
            aria-label={t('group')}
            value={entry.groupId}
            options={source.groups.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(groupId) => change(index, { groupId })}
          />
          <InputNumber
            aria-label={t('run.minutes')}
            data-testid="program-minutes"
            min={1}
            max={1_080}
            precision={0}
            value={entry.runS / 60}
            onChange={(minutes) => change(index, { runS: (minutes ?? 1) * 60 })}
          />
          {index > 0 && (
            <Button
              type="text"
              icon={<ArrowUpOutlined />}
              aria-label={t('program.moveUp')}
              onClick={() => moveUp(index)}
            />
          )}
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={t('remove')}
            data-testid="program-entry-remove"
            onClick={() => onEntries(entries.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      {first && (
        <span>
          <Button
            size="small"
            icon={<PlusOutlined />}
            onClick={() => onEntries([...entries, { groupId: first.id, runS: 1_200 }])}
          >
            {t('program.addEntry')}
          </Button>
        </span>
      )}
    </div>
  )
}
