import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.NavajoWarsApi;
import org.openapitools.client.model.*;

/** An Enemy Raid played with the client that openapi-generator generates; run by test_java.py. */
public class Raid {
    private final NavajoWarsApi api;

    Raid(String address) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(address);
        api = new NavajoWarsApi(client);
    }

    NavajoWarsCheckAnswer check(NavajoWarsPosition position, NavajoWarsAction action, List<Input> inputs)
            throws ApiException {
        return api.navajoWarsCheck(new NavajoWarsCheckRequest()
                .position(position)
                .action(action)
                .inputs(inputs)
                .lang(NavajoWarsCheckRequest.LangEnum.EN), null);
    }

    static NavajoWarsPosition table() {
        return new NavajoWarsPosition()
                .period(NavajoWarsPeriod.MEXICAN)
                .tracks(new NavajoWarsTracks().ap(3).military(2).culture(6)
                        .enemyMorale(3).enemyFerocity(2).enemyAp(6))
                .families(Map.of("C", new NavajoWarsFamilyState()
                        .at(new NavajoWarsFamilyStateAt(NavajoWarsAreaId.SHIPROCK_3)).ferocity(1).man(true).woman(true).child(true)))
                .areas(Map.of())
                .santaFe(new NavajoWarsSantaFe().raid(0));
    }

    static Input read(Object value) {
        return new Input(new InputRead().read(value));
    }

    static Input choose(Object value) {
        return new Input(new InputChoose().choose(value));
    }

    public static void main(String[] arguments) throws ApiException {
        Raid raid = new Raid(arguments[0]);
        List<Input> answers = List.of(
                read("shiprock-3"),
                choose(Map.of("kind", "evade", "family", "C")),
                new Input(new InputDie().die(4)),
                read("shiprock-4"),
                choose("none"));
        NavajoWarsAction start = new NavajoWarsAction(
                new NavajoWarsEnemyRaid().kind(NavajoWarsEnemyRaid.KindEnum.ENEMY_RAID).ap(1));
        NavajoWarsAction goOn = new NavajoWarsAction(new ModelContinue().kind(ModelContinue.KindEnum.CONTINUE));
        NavajoWarsCheckAnswer answer = raid.check(table(), start, List.of());
        for (Input given : answers) {
            System.out.println(answer.getHeadline().getActualInstance());
            answer = raid.check(answer.getPosition(), goOn, List.of(given));
        }
        System.out.println(answer.getHeadline().getActualInstance());
        System.out.println(answer.getRuling() + " " + answer.getPending() + " "
                + answer.getPosition().getFamilies().get("C").getAt().getActualInstance());
    }
}
