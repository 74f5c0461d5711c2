import { UnlockOutlined } from '@ant-design/icons'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { Button, Popconfirm } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../api/api-error.ts'
import { showNotice } from '../notices/notices.ts'
import { endHolds } from './release-holds.ts'

interface ReleaseButtonProps {
  readonly ids: readonly number[]
  /** Query key to refetch afterwards. */
  readonly queryKey: QueryKey
  readonly onReleased?: () => void
}

/** Button that releases holds after a confirmation. The devices do not move. */
export function ReleaseButton({ ids, queryKey, onReleased }: ReleaseButtonProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const release = useMutation({
    mutationFn: () => endHolds(ids),
    onSuccess: () => onReleased?.(),
    onError: (error) => showNotice('error', toFailureText(error)),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  return (
    <Popconfirm
      title={t('order.releaseSure', { count: ids.length })}
      description={t('order.releaseMeans')}
      okText={t('order.release')}
      cancelText={t('order.keep')}
      onConfirm={() => release.mutate()}
    >
      <Button
        size="small"
        icon={<UnlockOutlined />}
        loading={release.isPending}
        disabled={ids.length === 0}
        data-testid="release-hold"
      >
        {ids.length > 1 ? t('order.releaseSome', { count: ids.length }) : t('order.release')}
      </Button>
    </Popconfirm>
  )
}
