interface CampaignViewProps {
  readonly id: number
  readonly onClose: () => void
}

/** One campaign with all that is known of it, in place of the page it was opened from. */
export default function CampaignView({ id }: CampaignViewProps) {
  return <section data-testid={`campaign-${id}`} />
}
