import { DeleteOutlined, EditOutlined, PlayCircleOutlined, PlusOutlined } from '@ant-design/icons'
import type { IrrigationProgram, IrrigationSource } from '@isotherm/contract/irrigation'
import { Button, Popconfirm } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { StateBadge } from '../../../shared/ui/state-badge.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { toClock } from '../../../shared/week/clock-text.ts'
import { useDayNames } from '../../../shared/week/use-day-names.ts'
import styles from '../irrigation.module.css'
import { useIrrigationText } from '../irrigation-text.ts'
import { RunNow } from '../now/run-now.tsx'
import { irrigationCalls, useIrrigationChange } from '../queries.ts'
import { ProgramForm } from './program-form.tsx'

/** Days and starts of a program in words. */
function useWhen({ plan }: IrrigationProgram): string {
  const { t } = useTranslation('irrigation')
  const names = useDayNames()
  const { days, starts } = plan
  const isEveryDay =
    days.kind === 'weekdays' ? new Set(days.days).size === 7 : days.kind === 'every' && days.n === 1
  const on = isEveryDay
    ? t('program.everyDay')
    : days.kind === 'weekdays'
      ? days.days.map(names.short).join(' ')
      : days.kind === 'every'
        ? t('program.everyN', { n: days.n })
        : t(`program.dayKind.${days.kind}`)
  const at = starts.map((start) =>
    start.kind === 'time'
      ? toClock(start.minute)
      : `${t(`program.startKind.${start.kind}`)} ${start.offsetMin > 0 ? '+' : ''}${start.offsetMin}`,
  )
  return `${on} · ${at.join(', ')}`
}

interface ProgramCardProps {
  readonly source: IrrigationSource
  readonly program: IrrigationProgram
  readonly onEdit: () => void
}

function ProgramCard({ source, program, onEdit }: ProgramCardProps) {
  const { t } = useTranslation('irrigation')
  const text = useIrrigationText()
  const when = useWhen(program)
  const remove = useIrrigationChange(irrigationCalls.removeProgram)
  const start = useIrrigationChange(irrigationCalls.startProgram)
  const { id, version, name, enabled, plan, actor } = program
  return (
    <div className={styles.card} data-testid="program-card">
      <div className={`${styles.line} ${styles.between}`}>
        <h3>{name}</h3>
        <StateBadge state={enabled ? 'on' : 'off'}>
          {t(enabled ? 'program.enabled' : 'program.off')}
        </StateBadge>
      </div>
      <small>{when}</small>
      <small>
        {plan.entries
          .map(({ groupId, runS }) => `${text.groupName(source, groupId)} ${text.duration(runS)}`)
          .join(' → ')}
      </small>
      {plan.cycle !== undefined && (
        <small>
          {t('program.cycle', {
            max: text.duration(plan.cycle.maxS),
            soak: text.duration(plan.cycle.soakS),
          })}
        </small>
      )}
      <small className={styles.hint}>
        {plan.seasonalPct}% · {t('program.actor', { actor })}
      </small>
      <span className={styles.line}>
        {source.abilities.includes('run') && source.halt === undefined && (
          <Popconfirm
            title={t('program.runAsk', { name })}
            description={t('run.means')}
            okText={t('program.run')}
            cancelText={t('cancel')}
            onConfirm={() => start.mutate({ programId: id })}
          >
            <Button
              size="small"
              icon={<PlayCircleOutlined />}
              loading={start.isPending}
              data-testid="program-run"
            >
              {t('program.run')}
            </Button>
          </Popconfirm>
        )}
        {source.abilities.includes('configure') && (
          <>
            <Button size="small" icon={<EditOutlined />} data-testid="program-edit" onClick={onEdit}>
              {t('edit')}
            </Button>
            <Popconfirm
              title={t('removeAsk', { name })}
              okText={t('remove')}
              cancelText={t('cancel')}
              onConfirm={() => remove.mutate({ id, version })}
            >
              <Button size="small" type="text" icon={<DeleteOutlined />} aria-label={t('remove')} />
            </Popconfirm>
          </>
        )}
      </span>
    </div>
  )
}

/** Programs of a source. */
export function ProgramPanel({ source }: { readonly source: IrrigationSource }) {
  const { t } = useTranslation('irrigation')
  const [edited, setEdited] = useState<IrrigationProgram | 'new'>()
  const maySet = source.abilities.includes('configure') && source.groups.length > 0
  return (
    <div className={styles.stack}>
      {maySet && (
        <div>
          <Button
            type="primary"
            icon={<PlusOutlined />}
            data-testid="program-add"
            onClick={() => setEdited('new')}
          >
            {t('program.add')}
          </Button>
        </div>
      )}
      {source.runs.map((run) => (
        <RunNow key={run.id} source={source} run={run} />
      ))}
      {source.programs.length === 0 && <EmptyState title={t('program.none')} />}
      <div className={styles.cards}>
        {source.programs.map((program) => (
          <ProgramCard key={program.id} source={source} program={program} onEdit={() => setEdited(program)} />
        ))}
      </div>
      {edited !== undefined && (
        <ProgramForm
          source={source}
          program={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  )
}
