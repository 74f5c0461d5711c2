import {
  type IrrigationPlan,
  type IrrigationProgram,
  type IrrigationSource,
  irrigationPlan,
  irrigationProgramSettings,
} from '@isotherm/contract/irrigation'
import { Button, Checkbox, Input, Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showNotice } from '../../../shared/notices/notices.ts'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import styles from '../irrigation.module.css'
import { irrigationCalls, useIrrigationChange } from '../queries.ts'
import { Calendar } from './calendar.tsx'
import { DaysField } from './days-field.tsx'
import { EntryRows } from './entry-rows.tsx'
import { Field } from './field.tsx'
import { NumberField } from './number-field.tsx'
import { StartRows } from './start-rows.tsx'

const toProposed = ({ groups }: IrrigationSource): IrrigationPlan => ({
  days: { kind: 'weekdays', days: [0, 1, 2, 3, 4, 5, 6] },
  starts: [{ kind: 'time', minute: 300 }],
  entries: groups.map(({ id }) => ({ groupId: id, runS: 1_200 })),
  seasonalPct: 100,
  together: false,
})

interface ProgramFormProps {
  readonly source: IrrigationSource
  /** Absent for a new program. */
  readonly program: IrrigationProgram | undefined
  readonly onClose: () => void
}

/** Edits a program, with the calendar of the week by the scheduler that will run it. */
export function ProgramForm({ source, program, onClose }: ProgramFormProps) {
  const { t } = useTranslation('irrigation')
  const [name, setName] = useState(program?.name ?? '')
  const [enabled, setEnabled] = useState(program?.enabled ?? true)
  const [plan, setPlan] = useState<IrrigationPlan>(() => program?.plan ?? toProposed(source))
  const put = (part: Partial<IrrigationPlan>) => setPlan((before) => ({ ...before, ...part }))
  const parsed = irrigationProgramSettings.safeParse({ name, enabled, plan })
  const save = useIrrigationChange(irrigationCalls.setProgram, () => {
    showNotice('success', t('saved'))
    onClose()
  })
  const { cycle, designEtMm } = plan
  return (
    <SideDrawer
      isWanted
      title={program ? t('program.edit', { name: program.name }) : t('program.add')}
      widthPx={760}
      isModal
      onClose={onClose}
    >
      <div className={styles.stack} data-testid="program-form">
        <div className={`${styles.line} ${styles.row}`}>
          <Input
            aria-label={t('source.name')}
            placeholder={t('source.name')}
            className={styles.grow ?? ''}
            value={name}
            data-testid="program-name"
            onChange={({ target }) => setName(target.value)}
          />
          <Switch checked={enabled} aria-label={t('program.enabled')} onChange={setEnabled} />
          <span>{t(enabled ? 'program.enabled' : 'program.off')}</span>
        </div>
        <Field label={t('program.days')}>
          <DaysField days={plan.days} timeZone={source.timeZone} onDays={(days) => put({ days })} />
        </Field>
        <StartRows starts={plan.starts} onStarts={(starts) => put({ starts: [...starts] })} />
        <EntryRows
          source={source}
          entries={plan.entries}
          onEntries={(entries) => put({ entries: [...entries] })}
        />
        <div className={styles.line}>
          <NumberField
            label={t('program.seasonalPct')}
            min={10}
            max={200}
            value={plan.seasonalPct}
            testId="program-seasonal"
            onValue={(seasonalPct) => seasonalPct !== undefined && put({ seasonalPct })}
          />
          <NumberField
            label={t('program.designEtMm')}
            min={0.5}
            max={20}
            precision={1}
            value={designEtMm}
            onValue={(value) =>
              setPlan(({ designEtMm: _, ...rest }) =>
                value === undefined ? rest : { ...rest, designEtMm: value },
              )
            }
          />
          <NumberField
            label={t('program.cycleMax')}
            min={1}
            max={1_080}
            value={cycle && cycle.maxS / 60}
            onValue={(minutes) =>
              setPlan(({ cycle: _, ...rest }) =>
                minutes === undefined
                  ? rest
                  : { ...rest, cycle: { maxS: minutes * 60, soakS: cycle?.soakS ?? 1_800 } },
              )
            }
          />
          {cycle && (
            <NumberField
              label={t('program.soak')}
              min={0}
              max={1_440}
              value={cycle.soakS / 60}
              onValue={(minutes) =>
                minutes !== undefined && put({ cycle: { ...cycle, soakS: minutes * 60 } })
              }
            />
          )}
        </div>
        <Checkbox checked={plan.together} onChange={({ target }) => put({ together: target.checked })}>
          {t('program.together')}
        </Checkbox>
        <Button
          type="primary"
          disabled={!parsed.success}
          loading={save.isPending}
          data-testid="program-save"
          onClick={() =>
            parsed.data &&
            save.mutate({
              sourceId: source.id,
              settings: parsed.data,
              ...(program && { id: program.id, version: program.version }),
            })
          }
        >
          {t('save')}
        </Button>
        {irrigationPlan.safeParse(plan).success && plan.entries.length > 0 && (
          <Calendar source={source} draft={{ plan, ...(program && { programId: program.id }) }} />
        )}
      </div>
    </SideDrawer>
  )
}
