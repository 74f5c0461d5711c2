"""Reference client of docs/reference/mqtt.md: a gateway with one simulated valve. Needs only Python 3.
python3 device.py HOST PORT USER PASSWORD VALVE FILE [INTERVAL_S [STROKE_S]], see clients/README.md."""
import json, os, random, sys, time, mqtt311, secret
HOST, PORT, USER, PASSWORD, VALVE, FILE, INTERVAL, STROKE = (sys.argv[1:] + ['60', '5'][len(sys.argv) - 7:])[:8]
state = dict(boot=0, rev=-1, opening=20, target=None, closes=0, stored=[], replies=[], active=None)
if os.path.exists(FILE): state = json.load(open(FILE))
state['boot'] += 1
own = secret.Secret(state, PASSWORD)
seqs, outbox, sent, delivered = dict(up=-1, reply=-1), [], set(), set()
link, pause, offset, due = None, 1.0, 0.0, dict(report=0.0, history=0.0, motor=0.0)
def save():
    with open(FILE + '.new', 'w') as file:
        json.dump(state, file)
    os.replace(FILE + '.new', FILE)
save()
def head(**fields):
    return dict(v=1, boot=state['boot'], ts=round((time.time() + offset) * 1000), **fields)
def numbered(stream, **fields):
    seqs[stream] += 1; return head(seq=seqs[stream], **fields)
def publish(channel, message, stored=lambda: None):
    link.publish(f'hx/v1/{USER}/up/{channel}', json.dumps(message).encode(), stored, channel == 'birth')
def birth(online): return head(online=online, firmware='reference 1.0')
def send(message, channel):
    key = (message['boot'], message['seq']); sent.add(key)
    publish(channel, dict(message, ts=head()['ts']), lambda: delivered.add(key))
def report(channel):
    m = {'valve.opening': state['opening'], 'temp.supply': 45.2, 'temp.return': 38.4}
    state['stored'] = state['stored'][-19999:] + [numbered('up', d=[dict(id=VALVE, ts=head()['ts'], m=m)])]
    save()
    if link: send(state['stored'][-1], channel)
def send_reply(message): publish('reply', message, lambda: outbox.remove(message))
def reply(result):
    state['replies'] = [each for each in state['replies'] if each['id'] != result['id']][-31:] + [result]
    outbox.append(numbered('reply', **result))
    save()
    if link: send_reply(outbox[-1])
def end_command(**result):
    active, state['active'] = state['active'], None
    if active: reply(dict(active, stage='done', **result))
def start_motor(opening, seconds=0):
    state.update(target=opening, closes=time.time() + seconds if seconds else 0)
    due['motor'] = time.monotonic() + float(STROKE)
def is_within(value, low, high): return type(value) in (int, float) and low <= value <= high
def judge(command):
    args = command.get('args') or {}
    if command['do'] != 'valve.set': return 501
    if command['dev'] != VALVE: return 404
    if not is_within(args.get('opening'), 0, 100) or not is_within(args.get('maxSec', 1), 1, 86400): return 400
    return 410 if command['exp'] <= head()['ts'] else 409 if command['rev'] <= state['rev'] else 0
def obey(command):
    known = next((each for each in state['replies'] if each['id'] == command['id']), None)
    code = 0 if known else judge(command)
    reply(known or dict(id=command['id'], dev=command['dev'], stage='accepted', code=code))
    if known or code: return
    end_command(code=409)
    state.update(rev=command['rev'], active=dict(id=command['id'], dev=VALVE))
    start_motor(command['args']['opening'], command['args'].get('maxSec', 0))
    save()
def receive(channel, body):
    global offset
    if channel == 'login' and own.receive(body['password']): save(); raise OSError('it has its own password')
    if channel == 'time': offset = body['now'] / 1000 - time.time()
    if channel == 'ack' and 'seq' in body:
        state['stored'] = [m for m in state['stored'] if m['boot'] != body['boot'] or m['seq'] > body['seq']]
        save()
    if channel == 'cmd' and body['do'] != 'getHistory': return obey(body)
    for m in state['stored'] if channel == 'cmd' else []:
        if m['boot'] == body['args']['boot'] and body['args']['from'] <= m['seq'] <= body['args']['to']:
            for keys in (sent, delivered): keys.discard((m['boot'], m['seq']))
def tick():
    if state['closes'] and time.time() >= state['closes']: start_motor(0)
    if state['target'] is not None and time.monotonic() >= due['motor']:
        state.update(opening=state['target'], target=None)
        end_command(code=0, res=dict(opening=state['opening']))
        report('event')
    if time.monotonic() >= due['report']:
        due['report'] = time.monotonic() + float(INTERVAL)
        report('telemetry')
    if link and time.monotonic() >= due['history']:
        due['history'] = time.monotonic() + 1
        done = sent | delivered
        for message in [m for m in state['stored'] if (m['boot'], m['seq']) not in done][:1]: send(message, 'history')
def serve():
    global link, pause
    opened = mqtt311.Link(HOST, int(PORT), USER, own.current(), f'hx/v1/{USER}/up/birth', json.dumps(birth(False)))
    opened.subscribe(f'hx/v1/{USER}/down/#')
    link, pause = opened, 1.0; publish('birth', birth(True))
    for message in outbox: send_reply(message)
    while True:
        for topic, payload in link.messages(0.1):
            try: receive(topic.split('/')[5], json.loads(payload))
            except (ValueError, KeyError, TypeError, AttributeError): print('not understood:', topic)
        tick()
while True:
    try: serve()
    except OSError as error: own.judge(error), print(error, file=sys.stderr)
    sent.clear()
    link, end, pause = None, time.monotonic() + pause + random.random(), min(60.0, pause * 2)
    while time.monotonic() < end: tick(), time.sleep(0.1)
