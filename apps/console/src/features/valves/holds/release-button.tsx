import { UnlockOutlined } from '@ant-design/icons'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button, Popconfirm } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { showNotice } from '../../../shared/ui/notices.ts'
import { endHolds, holdKeys } from './hold-queries.ts'

interface ReleaseButtonProps {
  readonly ids: readonly number[]
  readonly onReleased?: () => void
}

/** Ends holds before their time, after asking; the valves stay as they are. */
export function ReleaseButton({ ids, onReleased }: ReleaseButtonProps) {
  const { t } = useTranslation('valves')
  const client = useQueryClient()
  const release = useMutation({
    mutationFn: () => endHolds(ids),
    onSuccess: () => onReleased?.(),
    onError: (error) => showNotice('error', toFailureText(error)),
    onSettled: () => client.invalidateQueries({ queryKey: holdKeys.all }),
  })
  return (
    <Popconfirm
      title={t('hold.releaseSure', { count: ids.length })}
      description={t('hold.releaseMeans')}
      okText={t('hold.release')}
      cancelText={t('hold.keep')}
      onConfirm={() => release.mutate()}
    >
      <Button
        size="small"
        icon={<UnlockOutlined />}
        loading={release.isPending}
        disabled={ids.length === 0}
        data-testid="release-hold"
      >
        {ids.length > 1 ? t('hold.releaseSome', { count: ids.length }) : t('hold.release')}
      </Button>
    </Popconfirm>
  )
}
