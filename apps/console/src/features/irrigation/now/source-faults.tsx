import type { IrrigationSource } from '@isotherm/contract/irrigation'
import { Alert, Button, Popconfirm } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useIrrigationText } from '../irrigation-text.ts'
import { irrigationCalls, useIrrigationChange } from '../queries.ts'

interface LatchProps {
  readonly source: IrrigationSource
  readonly what: 'leak' | 'halt'
  readonly title: string
  readonly means: string
}

/** A protection that acts until a user releases it, with the button for that. */
function Latch({ source, what, title, means }: LatchProps) {
  const { t } = useTranslation('irrigation')
  const release = useIrrigationChange(irrigationCalls.release)
  return (
    <Alert
      type="error"
      showIcon
      data-testid={`irrigation-${what}`}
      title={title}
      description={means}
      action={
        source.abilities.includes('run') && (
          <Popconfirm
            title={t('latch.ask')}
            okText={t('latch.release')}
            cancelText={t('cancel')}
            onConfirm={() => release.mutate({ sourceId: source.id, what })}
          >
            <Button
              size="small"
              danger
              loading={release.isPending}
              data-testid={`irrigation-release-${what}`}
            >
              {t('latch.release')}
            </Button>
          </Popconfirm>
        )
      }
    />
  )
}

/** Faults of a source: protections that act until a user releases them, valves that are open by hand, and groups that were not watered. */
export function SourceFaults({ source }: { readonly source: IrrigationSource }) {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  const text = useIrrigationText()
  const { halt, leak, leakBlocks, missed, openByHand } = source
  const at = (ms: number): string => format.moment(ms, source.timeZone)
  return (
    <>
      {halt && (
        <Latch
          source={source}
          what="halt"
          title={t(`latch.${halt.reason}`, { at: at(halt.sinceMs) })}
          means={t('latch.haltMeans')}
        />
      )}
      {leak && (
        <Latch
          source={source}
          what="leak"
          title={t('latch.leak', { at: at(leak.sinceMs), flow: format.number(leak.flowM3H, 2) })}
          means={leakBlocks === false ? t('latch.leakRuns') : t('latch.leakMeans')}
        />
      )}
      {openByHand.length > 0 && (
        <Alert
          type="info"
          showIcon
          data-testid="irrigation-by-hand"
          title={t('byHand.title', {
            valves: openByHand.map(({ valveId }) => text.valveName(source, valveId)).join(' · '),
          })}
          description={t('byHand.means', {
            flow: format.number(
              openByHand.reduce((sum, { flowM3H }) => sum + flowM3H, 0),
              1,
            ),
          })}
        />
      )}
      {missed.map(({ groupId, reason, atMs }) => (
        <Alert
          key={groupId}
          type="warning"
          showIcon
          data-testid="irrigation-missed"
          title={t('missed.title', { group: text.groupName(source, groupId), at: at(atMs) })}
          description={t(`missed.${reason}`)}
        />
      ))}
    </>
  )
}
