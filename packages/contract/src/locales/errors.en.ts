import type { ErrorCode } from '../errors.ts'

export const errorTextsEn = {
  'request.malformed': 'The request is not valid. Check the input and try again ({detail})',
  'request.not-json': 'The request body is not valid JSON',
  'request.media-type': 'This content type is not supported. Send application/json',
  'request.unknown': 'Unknown call',
  'request.too-large': 'The request is too large. The limit is {limitKb} KB',
  'request.too-many': 'Too many requests. Try again in {retryAfterS} s',
  'request.abandoned': 'The client left before it was its turn; nothing was done',
  'request.not-https': 'This server answers over HTTPS only',
  'session.missing': 'Please log in',
  'session.expired': 'User info has expired, please log in again',
  'session.bad-credentials': 'Wrong account or password',
  'session.slowed': 'Too many attempts. Try again in {retryAfterS} s',
  'session.password-expired': 'Your password has expired or was set by an administrator. Change it to log in',
  'session.disabled': 'This account is disabled. Ask your administrator',
  'session.second-factor': 'Enter the code of your authenticator app',
  'session.wrong-code': 'The code is wrong or was used before. Wait for the next one',
  'session.given-ended': 'The password that an administrator gave you has ended. Ask for a new one',
  'session.second-factor-missing':
    'Your role or the password policy requires two-step sign-in. Set it up to log in',
  'second-factor.on': 'Two-step sign-in is on already',
  'second-factor.off': 'Two-step sign-in is not on',
  'second-factor.required':
    'A role of this account or the password policy requires two-step sign-in, so it cannot be turned off',
  'single-sign-on.off': 'Single sign-on is not configured on this server',
  'single-sign-on.unavailable': 'The sign-in service cannot be reached. Try again later, or use a password',
  'single-sign-on.refused': 'The answer of the sign-in service could not be verified. Log in again',
  'single-sign-on.no-role':
    'None of your groups in the sign-in service has a role here. Ask your administrator',
  'single-sign-on.account-taken':
    'The account {account} exists and does not belong to the sign-in service. Ask your administrator',
  'single-sign-on.one-factor':
    'Two-step sign-in is required here, but the sign-in service reports one step only. Ask your administrator',
  'live.too-many':
    'This account already has {limit} live {limit|window|windows} open. Close one and try again',
  'access.denied': 'You do not have permission for this. Ask your administrator',
  'access.separate-duties':
    'Administration of system, security and audit is separate: no role or account can have two of them',
  'node.not-found': 'Node not found, or outside your access',
  'device.not-found': 'Device not found, or outside your access',
  'device.not-controllable': '{device} cannot take this command',
  'filter.unknown-field': 'Filtering by "{field}" is not possible',
  'filter.bad-pattern': 'The pattern for "{field}" is not valid',
  'filter.too-wide':
    'Too many devices to search: choose a smaller place, a longer part of the number or a narrower filter',
  'entity.stale': '{what} has just been changed by {by} ({fields}). Reload and try again',
  'entity.taken': 'This {field} is already in use',
  'entity.in-use': 'Not possible: still in use by {by}',
  'node.bad-place': 'It cannot be placed there: {detail}',
  'node.not-empty': 'It still has nodes or devices below it',
  'entity.built-in': '{what} is built in and cannot be removed, disabled or repurposed',
  'control-device.not-found': 'Control device not found, or outside your access',
  'device-group.not-found': 'Device group not found, or outside your access',
  'device-group.scheduled':
    'This group has an enabled schedule. Its devices can be changed by users who may control valves, or after the schedule is disabled',
  'device-group.several-companies': 'All devices of a group must belong to one company',
  'device-model.not-found': 'Device model not found',
  'map-file.not-found': 'Map file not found',
  'device-profile.not-found': 'Device profile not found for this kind of device',
  'exercise.not-found': 'Valve exercise not found, or outside your access',
  'exercise.in-season': 'Valves are not exercised in the heating season ({first} to {last})',
  'exercise.no-valves': 'No valve here can be exercised',
  'exercise.too-many': 'At most {max} valves can be exercised at once; choose fewer nodes',
  'exercise.running': 'A valve here is already in a running exercise',
  'exercise.not-now': 'The exercise has already ended',
  'device.bad-concentrator':
    'A device can only report through a concentrator of its own company that is in use',
  'device.bad-model': 'Model {model} does not fit a {kind}',
  'device.wrong-kind': 'A {kind} has no field "{field}"',
  'device.retired': '{device} is retired',
  'device.bad-curve': 'The measured characteristic is not valid: {fault}',
  'device.no-tokens': 'One-time tokens need the embedded broker; this installation has an external one',
  'device.login-shown': 'The password of {device} was shown on {at} to {by}. Make a new one to see it',
  'device.login-revoked': 'The password of {device} is revoked; give it a new one',
  'unregistered-device.not-found':
    'The device is no longer among the unregistered ones; it may be registered by now',
  'unregistered-device.no-line': 'The stored configuration of the gateway has no line {line}: add it first',
  'gateway-config.foreign-device': '{device} is not a device in use of this gateway',
  'gateway-config.no-secret':
    'Line {line} needs its passwords and keys: none are stored for it, or its address has changed',
  'device-profile.in-gateways':
    'The configurations of these gateways name the profile: {gateways}. It cannot be removed, renamed, or changed so that it no longer fits their lines and addresses',
  'gateway-config.wrong-device':
    '{device} cannot be polled: its profile does not exist, is for another kind of line, its address has another form, or a device of its kind has the same address on the line',
  'device.no-gateway': '{device} reports through a concentrator and has no credentials of its own',
  'account.not-found': 'Account not found, or outside your access',
  'account.yourself': 'You cannot do this to your own account',
  'account.beyond-yours': 'You cannot grant what you do not have yourself: {what}',
  'account.weak-password':
    'Password too easy to guess: do not use common passwords, sequences or few different characters',
  'password.too-short': 'The new password needs at least {minLength} characters',
  'password.few-kinds':
    'The new password needs at least {minKinds} {minKinds|kind|kinds} of small letters, capital letters, digits and other characters',
  'password.has-account': 'The new password must not contain the account name',
  'password.used-before':
    'The new password must differ from the last {history} {history|password|passwords} of this account',
  'password.not-its-hash': 'The hash does not belong to the new password',
  'account.bad-parent': '{account} cannot be the parent account',
  'account.last-administrator': 'At least one enabled platform account that manages everything must remain',
  'role.not-found': 'Role not found',
  'role-code.not-found': 'Role code not found',
  'module.not-found': 'Module not found',
  'organisation.not-found': 'Organisation not found',
  'company.not-found': 'Company not found',
  'company.elsewhere': 'Another server serves this company. Use the address of the company',
  'session.not-found': 'Session not found',
  'session.not-fresh': 'Log out and in again first: sessions are ended within ten minutes of a sign-in',
  'verification.not-configured': 'Verification codes are not set up on this server',
  'verification.wrong': 'The verification code is wrong or has expired',
  'verification.not-sent': 'The verification code could not be sent. Try again later',
  'transfer.unreadable': 'The file cannot be read. Use an .{detail} file',
  'transfer.not-found': 'Import or export not found, or expired',
  'transfer.not-now': 'This is not possible while the import is {state}',
  'transfer.which-company': 'Choose a company',
  'transfer.too-many-rows':
    'One sheet of the export would have {rows} rows; the limit is {limit}. Export one node at a time',
  'api-key.invalid': 'The API key is not valid or has expired',
  'api-key.not-allowed': 'This API key cannot make this call',
  'api-key.not-found': 'The API key was not found or is outside your access',
  'api-key.too-many': 'An account can have at most {limit} API keys. Delete those that are not used',
  'api-key.bad-expiry': 'The key must expire within the next {days} days',
  'interface.disabled': 'The interface {name} was disabled by an administrator',
  'interface.not-found': 'The interface {name} was not found',
  'interface.always-on':
    'The interface {name} is needed to log in or to manage interfaces and cannot be disabled',
  'transfer.uploading': 'This account is already uploading a file. Wait until it has finished',
  'command.outside-limits':
    'No command was sent: {count} {count|valve|valves} may not move to this opening: {devices}',
  'command.not-found': 'Command not found, or outside your access',
  'command.not-cancellable': 'The command has been sent and can no longer be cancelled',
  'command.held':
    'No command was sent: {count} {count|valve is|valves are} held with a higher priority. Release the {count|hold|holds} first: {devices}',
  'command.head-outside':
    'No command was sent: the head setpoint of {device} must be {minKpa} to {maxKpa} kPa',
  'command.offset-outside': 'No command was sent: the supply offset of {device} must be {minK} to {maxK} K',
  'command.total-too-low':
    'No command was sent: the average opening below {node} would fall to {totalPct}%; the minimum is {minTotalPct}%',
  'command-batch.not-found': 'Batch of commands not found, or outside your access',
  'command-batch.not-now': 'The state of this batch has changed and does not allow this. Refresh and check',
  'room-visit.not-found': 'Room visit not found, already measured, or outside your access',
  'hold.not-found': 'Hold not found, ended, or outside your access',
  'alarm.not-found': 'Alarm not found, or outside your access',
  'alarm.ended': 'The alarm has already ended',
  'alarm-rule.not-found': 'Alarm rule not found, or outside your access',
  'alarm-silence.not-found': 'Silence not found, ended, or outside your access',
  'alarm-target.not-found': 'Alarm target not found, or outside your access',
  'alarm-target.forbidden':
    'This address cannot be used: it is this machine, a service of this system, link-local, or a host that the operator does not allow',
  'alarm-target.too-many': 'A company can have at most {limit} alarm {limit|target|targets}',
  'alarm-target.secret-needed': 'The address has changed: enter the secret again',
  'alarm-target.hidden-value': '*** hides a stored value. Enter it again when you change the address',
  'balance.no-station':
    '{node} does not belong to one heat station. Choose a station, or a residential area, building or unit below it',
  'balance.not-measured':
    'Only {measured} of {valves} {valves|valve|valves} below {node} have usable readings, so no plan can be made. Without readings: {missing}',
  'balance.no-valves': 'There is no valve to balance below {node}',
  'balance.no-head':
    'The station of {node} has no reading of its head, so no plan can be made. Check its supply and return pressure sensors',
  'balance.no-flow':
    'The station of {node} has no reading of its flow, and too few valves have one, so no plan can be made. Check its flow meter',
  'balance.no-rooms':
    'There are no room temperatures below {node}, so rooms cannot be balanced. Check the room sensors, or balance return temperatures',
  'balance.no-weather':
    'The station of {node} has no readings of the outdoor temperature, so this plan cannot be made',
  'balance.rooms-moving':
    'Rooms below {node} still respond to earlier moves: those behind {waiting} of {valves} {valves|valve|valves} are not at rest. A room target can be planned in {hours} {hours|hour|hours}',
  'balance.too-large':
    'The station of {node} exceeds the limits of one loop: at most {valves} balanced valves, and {records} each of valves, room sensors and pipes. Check that its controller is at the right place in the tree',
  'balance.not-identified':
    'Not identified: too little is known about the loop of {node} for this plan: it expects {reason} of {expected}, now {now}. What would help: {help}',
  'campaign.not-found': 'Campaign not found, or outside your access',
  'campaign.not-now': 'The state of this campaign has changed and does not allow this. Refresh and check',
  'campaign.outdated': '{device} was commanded after the plan was made. Recalculate the plan',
  'campaign.overtaken':
    'Campaign {campaign} moved valves of this loop after the plan was made. Recalculate the plan',
  'campaign.loop-taken': 'The loop of {station} already has campaign {campaign}, which has not ended',
  'strategy.not-found': 'Strategy not found, or outside your access',
  'strategy.not-now': 'The state of this strategy has changed and does not allow this. Refresh and check',
  'strategy.loop-taken': 'The loop of {station} is already controlled by strategy {strategy}',
  'strategy.group-misplaced': 'A place of group {group} is also in another group, or not below {node}',
  'irrigation.not-found': 'Irrigation item not found, or outside your access',
  'irrigation.not-now': 'The state of this run has changed and does not allow this. Refresh and check',
  'irrigation.running': 'A run is in progress. Stop it first',
  'irrigation.nothing-to-run': 'No valve can be watered with the water and capacity of the source',
  'irrigation.too-long': 'A span covers at most a year',
  'irrigation.no-position':
    'A start at sunrise or sunset needs a position: enter latitude and longitude of the source, or place its node on the map',
  'irrigation.past': 'The end of a rain delay must be in the future',
  'irrigation.no-span': 'A span must begin before it ends',
  'irrigation.halted': 'A protection stopped this source. Check on site and release it first',
  'irrigation.master-open':
    'The master valve of this source is not closed. Wait until it is; retire the device if it is stuck',
  'irrigation.sensor-attached':
    '{device} is a sensor of the irrigation source {source} or of a group of it, so it stays at the node of that source or below it. Choose another one or none there first, or replace the device by a new one',
  'irrigation.sensor-elsewhere':
    'The sensor {device} is no longer at the node of this source or below it. Choose another one or none, or move it back',
  'irrigation.sensor-unsuited':
    '{device} cannot be the {part}: neither the profile of its model nor its values have what is needed. A flow meter reports a flow (a volume alone is not enough), a pressure sensor a pressure, a rain sensor the sum of rain, a soil probe the soil moisture',
  'irrigation.too-many': '{what}: at most {limit}. Delete those that are not used',
  'irrigation.valve-used': '{device} is already the master valve of a source or a valve of a group',
  'irrigation.too-many-parts':
    'This program opens valves {count} times a day, more than {max}. Use longer cycles or fewer starts',
  'irrigation.heating-valve':
    '{device} may be a heating valve. Ask somebody who may control valves to add it, or to register it as an irrigation valve',
  'irrigation.heat-station':
    '{device} may be a heat station: there are households or a kind of heating below it. Ask somebody who may control valves to choose it',
  'history.range-too-large': 'A query may span at most {maxDays} {maxDays|day|days}',
  'server.internal':
    'Server error. Try again; if it persists, give reference {requestId} to your administrator',
  'server.unavailable': 'The service is not available now. Try again later',
  'server.disk-full':
    'Nothing was saved: the disk of the server is full. Ask an administrator to free space, then try again',
} as const satisfies Record<ErrorCode, string>
