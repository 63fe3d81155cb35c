"""The same five sentences in languages that the recogniser does not know, for espeak-ng."""

TEXTS = {
    "de": (
        "Guten Morgen zusammen, und vielen Dank, dass Sie heute hierher gekommen sind.",
        "Ich möchte Ihnen von einem kleinen Garten hinter unserer Schule erzählen, und warum er uns wichtig ist.",
        "Vor zwei Jahren gab es dort nur Schotter, Glasscherben und ein altes Fahrrad.",
        "Dann brachte eine Lehrerin Samen mit, und die Kinder brachten ihre Eltern.",
        "Heute ernährt dieser Garten vierzig Familien, und er hat uns gelehrt, zusammen zu arbeiten."),
    "fr": (
        "Bonjour à tous, et merci d'être venus ici aujourd'hui.",
        "Je voudrais vous parler d'un petit jardin derrière notre école, et vous dire pourquoi il compte pour nous.",
        "Il y a deux ans, il n'y avait là que du gravier, du verre cassé et un vieux vélo.",
        "Puis une institutrice a apporté des graines, et les enfants ont amené leurs parents.",
        "Aujourd'hui ce jardin nourrit quarante familles, et il nous a appris à travailler ensemble."),
    "es": (
        "Buenos días a todos, y gracias por haber venido hoy.",
        "Quiero hablarles de un pequeño jardín detrás de nuestra escuela, y de por qué es importante.",
        "Hace dos años no había allí más que grava, vidrios rotos y una bicicleta vieja.",
        "Entonces una maestra trajo semillas, y los niños trajeron a sus padres.",
        "Hoy ese jardín alimenta a cuarenta familias, y nos ha enseñado a trabajar juntos."),
    "it": (
        "Buongiorno a tutti, e grazie di essere venuti qui oggi.",
        "Vorrei parlarvi di un piccolo giardino dietro la nostra scuola, e del perché è importante.",
        "Due anni fa non c'era altro che ghiaia, vetri rotti e una vecchia bicicletta.",
        "Poi una maestra portò dei semi, e i bambini portarono i loro genitori.",
        "Oggi quel giardino nutre quaranta famiglie, e ci ha insegnato a lavorare insieme."),
    "nl": (
        "Goedemorgen allemaal, en bedankt dat jullie vandaag gekomen zijn.",
        "Ik wil jullie vertellen over een kleine tuin achter onze school, en waarom die belangrijk is.",
        "Twee jaar geleden was er niets dan grind, gebroken glas en een oude fiets.",
        "Toen bracht een lerares zaden mee, en de kinderen brachten hun ouders mee.",
        "Vandaag voedt die tuin veertig gezinnen, en hij leerde ons samen te werken."),
    "pl": (
        "Dzień dobry wszystkim i dziękuję, że przyszliście tutaj dzisiaj.",
        "Chcę wam opowiedzieć o małym ogrodzie za naszą szkołą i o tym, dlaczego jest ważny.",
        "Dwa lata temu nie było tam nic oprócz żwiru, potłuczonego szkła i starego roweru.",
        "Potem jedna nauczycielka przyniosła nasiona, a dzieci przyprowadziły rodziców.",
        "Dziś ten ogród karmi czterdzieści rodzin i nauczył nas pracować razem."),
    "ru": (
        "Доброе утро всем, и спасибо, что пришли сюда сегодня.",
        "Я хочу рассказать вам о маленьком саде за нашей школой, и почему он важен.",
        "Два года назад там не было ничего, кроме гравия, битого стекла и старого велосипеда.",
        "Потом одна учительница принесла семена, а дети привели своих родителей.",
        "Сегодня этот сад кормит сорок семей, и он научил нас работать вместе."),
    "sv": (
        "God morgon allihopa, och tack för att ni har kommit hit idag.",
        "Jag vill berätta om en liten trädgård bakom vår skola, och varför den är viktig.",
        "För två år sedan fanns där ingenting annat än grus, krossat glas och en gammal cykel.",
        "Sedan tog en lärare med sig frön, och barnen tog med sig sina föräldrar.",
        "Idag föder den trädgården fyrtio familjer, och den lärde oss att arbeta tillsammans."),
}
