"""The lobby for those who come over SSH, and the door before it, in Japanese."""

MESSAGES = {
    # the door
    "nothing_else": "ここにはカードのテーブルしかありません。"
    "コマンドも、ファイルやポートの転送も付けずに、sshだけでお越しください。",
    "no_terminal": "カードのテーブルには端末が必要です: ssh -t",
    "no_room": "ただいま満席です。しばらくしてからもう一度お試しください。",
    "too_many_connections": "お使いのアドレスからの接続が多すぎます。1分ほどお待ちください。",
    "too_many_keys": "試された鍵が多すぎます。ssh -o IdentitiesOnly=yes -i FILE なら鍵を一つだけ使います。",
    "key_not_listed": "お使いの鍵は、ここに入れる鍵の一覧にありません。主催者に追加してもらってください。",
    "code": "この家の合い言葉:",
    "wrong_code": "合い言葉が違います。",
    # who somebody is
    "title": "カードゲーム",
    "ask_name": "お名前を入力してください",
    "ask_code": "{name}さんのコード:",
    "who_ask": "どなたですか",
    "who_is": "{name}です。コードがあります",
    "who_other": "別の名前を使います",
    "name_free": "その名前はまだ誰も使っていません。",
    "name_rule": "名前は、目に見える文字で1～{number}文字です。",
    "name_taken": "{name}という名前は、ほかの方が使っています。",
    "name_of_key": "{name}さんは別の鍵でお越しになる方です。ご本人なら、その鍵でお越しください: ssh -i FILE。"
    "そうでなければ別の名前を選んでください。",
    "name_of_code": "{name}さんという方が以前にお越しになり、コードを受け取っています。",
    "code_wrong": "{name}さんのコードではありません。",
    "code_given_up": "{name}さんのコードではありませんでした。",
    "welcome": "{name}さん、ようこそ。",
    "welcome_key": "{name}さん、ようこそ。これからはこの鍵であなたと分かります。",
    "welcome_code": "{name}さん、ようこそ。あなたのコードは {text} です。次もこのコードで{name}さんとして入れます。"
    "控えておいてください。",
    # the lobby
    "ask": "何をしますか",
    "learn": "ゲームを覚える",
    "rules": "ルール",
    "leave": "終わる",
    "game": "どのゲームですか",
    "keys": "↑↓か文字で選んで Enter   q 終わる",
    "back_keys": "↑↓か文字で選んで Enter   q・Esc 戻る",
    "field_keys": "Enter 決定   Esc 戻る",
    "goodbye": "{name}さん、またお越しください。席はそのまま残ります。",
    "broken": "プログラムに問題が起きました。対戦は保存されていて、主催者にも伝わっています。",
    "store_trouble": "いま対戦の記録に届きません。これまでの対戦は保存されています。後でもう一度お試しください。",
}
