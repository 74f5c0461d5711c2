import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/ui/page-frame.tsx'
import { EmptyState } from '../../shared/ui/states.tsx'
import styles from './irrigation.module.css'
import { IrrigationAnswer } from './irrigation-answer.tsx'
import { RunNow } from './now/run-now.tsx'
import { SingleRun } from './now/single-run.tsx'
import { SourceActions } from './now/source-actions.tsx'

/** Waters a group once for a time; then its source returns to its plan. */
export default function IrrgrpsxPage() {
  const { t } = useTranslation('irrigation')
  return (
    <IrrigationAnswer>
      {(sources) => {
        const withGroups = sources.filter(({ groups }) => groups.length > 0)
        if (withGroups.length === 0) return <EmptyState title={t('run.none')} hint={t('noneHint')} />
        return withGroups.map((source) => (
          <Panel key={source.id} title={source.name} extra={<SourceActions source={source} />}>
            <div className={styles.stack}>
              <SingleRun source={source} />
              {source.runs.map((run) => (
                <RunNow key={run.id} source={source} run={run} />
              ))}
            </div>
          </Panel>
        ))
      }}
    </IrrigationAnswer>
  )
}
