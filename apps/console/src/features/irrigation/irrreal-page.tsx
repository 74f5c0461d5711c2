import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../shared/ui/states.tsx'
import { IrrigationAnswer } from './irrigation-answer.tsx'
import { SourceNow } from './now/source-now.tsx'

/** Irrigated fields now: what runs, what comes, flow, water and weather. */
export default function IrrrealPage() {
  const { t } = useTranslation('irrigation')
  return (
    <IrrigationAnswer>
      {(sources) =>
        sources.length === 0 ? (
          <EmptyState title={t('none')} hint={t('noneHint')} />
        ) : (
          sources.map((source) => <SourceNow key={source.id} source={source} />)
        )
      }
    </IrrigationAnswer>
  )
}
